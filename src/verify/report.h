#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "domain/failure.h"
#include "domain/plan.h"

namespace willitrun {

/// The first line of a report: what was run. Fields are explained in docs/formats/report.md.
struct ReportStart {
  int schema = 0;
  std::string model, task;
  std::optional<std::string> revision;  ///< Nothing for a local folder.
  Mode mode = Mode::Single;
  int cores = 0;
  std::string device;
  std::optional<std::string> backend;  ///< Nothing for a reference run.
  bool reference = false;
  std::string transformers;
  int new_tokens = 0;
  std::map<std::string, std::string> env;
};

/// A mark, written before the stage is entered. `rank` is absent for the parent's `done`.
struct ReportStage {
  Mark stage = Mark::Place;
  std::optional<int> rank;
};

/// Why a rank stopped. `rank` is absent when the parent speaks for all ranks.
struct ReportError {
  std::optional<Mark> stage;
  std::optional<int> rank;
  std::string type, message, traceback;
  std::optional<int> exit_code;       ///< Only of RankDied.
  std::optional<std::string> signal;  ///< Only of RankDied: `SIGSEGV`.
};

/// The two likeliest tokens of a step, best first.
struct TopTwo {
  std::int32_t best = 0, second = 0;
  double best_logit = 0, second_logit = 0;
};

/// What came out of a run whose ranks ended well.
struct ReportResult {
  std::string prompt;
  int prompt_tokens = 0;
  std::vector<std::int32_t> tokens;
  int tokenizer_size = 0;  ///< Ids from here on have no text.
  std::optional<int> eos_at;
  std::string text;
  std::vector<std::optional<TopTwo>> top_two;  ///< One per token; absent where its logits were not finite.
  bool finite = false, repeatable = false;

  std::optional<double> load_s, cold_s, warm_s, compile_s, first_token_s, tokens_per_s;
  std::optional<int> graphs, graphs_after_first;
  std::string cache_class;
  std::optional<int> compile_cache_hits, compile_cache_misses;
  std::optional<std::vector<std::string>> fallback_ops;
  std::optional<std::int64_t> parameter_bytes_per_core, buffer_bytes_per_core, peak_bytes_per_core;
  std::string memory_meter;
  std::optional<std::int64_t> capacity_bytes_per_core;
  std::map<std::string, std::string> versions;      ///< Only what is installed.
  std::optional<std::vector<bool>> teacher_agrees;  ///< Of the forced run: its own choice was the given token.
  std::optional<std::string> logits_file;           ///< What --logits named.
};

/// What a run.py wrote, as far as it came.
struct RunReport {
  std::optional<ReportStart> start;
  std::vector<ReportStage> stages;
  std::vector<ReportError> errors;  ///< In the order written: the first is the cause, the rest may be its echo.
  std::optional<ReportResult> result;
  bool done = false;  ///< The parent's last word was written: the run ended well.
  bool torn = false;  ///< The last line was cut short, so the writer died in it.

  /// How far the run came: without an error the earliest among the ranks' last marks, with one that error's stage, or
  /// its rank's last mark. Nothing before the first mark.
  std::optional<Mark> reached() const;
};

/// Reads a report (docs/formats/report.md, schema 1). A last line without a newline, unknown events and unknown fields
/// are ignored; any other line that is not as the format says is Corruption, with its number; so is a result without a
/// start or with another number of tokens, and whatever comes after `done`. A report of a newer schema is
/// InvalidArgument. An empty text is an empty report: the run died before its first word.
Result<RunReport> parse_report(std::string_view json_lines);

}  // namespace willitrun
