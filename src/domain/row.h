#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"

namespace willitrun {

/// One result: a verdict of (model, stack, target), or one attempt. The same fields serve the Parquet dataset, JSON
/// answers and the journal; row_columns.h names, types and explains each of them once.
///
/// Every field may be absent: old and foreign files lack columns, and an attempt that crashed has no tokens.
/// Enumerations are kept in their text form, so that words of other systems survive unchanged.
struct Row {
  template <class T>
  using Maybe = std::optional<T>;

  // The public dataset's 24 columns. `tp` is also offered under its later name neuron_cores.
  Maybe<std::string> model_id, library;
  Maybe<std::int32_t> tp;
  Maybe<std::string> runner, result, notes, error, exclusion;
  Maybe<std::int32_t> wall_s;
  Maybe<double> hbm_peak_gb, hbm_capacity_gb;
  Maybe<std::string> cpu_match, english, neuronx_cc, library_version, transformers, accelerate, torch_neuronx, torch,
      nki;
  Maybe<std::string> python, neuron_driver;
  Maybe<Time> tested_at;
  Maybe<std::string> run_py;

  // Ours: what was run.
  Maybe<std::string> attempt_id, model_revision, task, model_type, target;
  Maybe<bool> emulated;
  Maybe<std::string> mode;
  Maybe<std::int32_t> cores;
  Maybe<std::string> neuron_cc_flags, script_sha256, package_lock, inputs_digest, prompt;
  Maybe<bool> sandboxed, remote_code, local_model;
  Maybe<std::string> limits;

  // What came of it.
  Maybe<std::string> verdict, evidence, reached, stage, failure_class, signature, charged_to;
  Maybe<std::int32_t> attempts, exit_status, exit_signal;
  Maybe<std::string> text, reference_text;
  Maybe<std::vector<std::int32_t>> tokens, reference_tokens;
  Maybe<std::int32_t> first_mismatch;
  Maybe<double> margin, max_logit_difference, judge_score;

  // Numbers.
  Maybe<double> download_s, load_s, compile_s, first_token_s, tokens_per_s, warm_s, reference_s;
  Maybe<std::int32_t> cache_hits, cache_misses, graphs;
  Maybe<std::vector<std::string>> fallback_ops;
  Maybe<std::int64_t> planned_bytes_per_core, peak_bytes_per_core, capacity_bytes_per_core, peak_process_bytes;

  // Popularity when the row was shown or written.
  Maybe<std::int64_t> downloads;
  Maybe<std::int32_t> downloads_rank, trending_rank;

  /// What the file of an imported row held beside the columns that we know: a JSON object, so that nothing is lost.
  Maybe<std::string> other_columns;

  bool operator==(const Row&) const = default;
};

}  // namespace willitrun
