#include "lab/attempt_row.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/head_tail.h"
#include "base/text.h"
#include "verify/combine.h"

namespace willitrun {
namespace {

constexpr std::size_t kErrorCap = 8000;

void set_verdict(Row& row, Verdict verdict) {
  row.verdict = std::string(to_text(verdict));
  row.result = row.verdict;
}

void set_failure(Row& row, const Failure& failure) {
  row.stage = std::string(to_text(failure.kind.stage));
  row.failure_class = std::string(failure.kind.name);
  row.charged_to = std::string(to_text(failure.kind.charged_to));
  row.signature = failure.signature;
  row.error = to_valid_utf8(failure.message);
}

double gigabytes(std::int64_t bytes) { return static_cast<double>(bytes) / 1e9; }

std::string cpu_match_of(const Judgement& judgement) {
  if (judgement.evidence == Evidence::Tokens) return "match";
  if (judgement.evidence == Evidence::NearTie || judgement.evidence == Evidence::Logits)
    return std::string(to_text(judgement.evidence));
  return judgement.first_mismatch ? "mismatch" : "not compared";
}

Verdict verdict_in(const Row& attempt) {
  return from_text<Verdict>(attempt.verdict.value_or("")).value_or(Verdict::Indeterminate);
}

/// A fail of an older revision or script beside a pass of the newest is no flake: only attempts with the inputs of the
/// newest one that tells anything about the model count.
std::vector<Row> with_the_inputs_that_count(const std::vector<Row>& attempts) {
  const auto tells = [](const Row& attempt) { return verdict_in(attempt) != Verdict::Indeterminate; };
  const auto newest = std::find_if(attempts.rbegin(), attempts.rend(), tells);
  const auto& inputs = newest == attempts.rend() ? attempts.back().inputs_digest : newest->inputs_digest;
  std::vector<Row> counted;
  for (const Row& attempt : attempts)
    if (attempt.inputs_digest == inputs) counted.push_back(attempt);
  return counted;
}

}  // namespace

void set_plan(Row& row, const Plan& plan, const Target& target) {
  row.task = plan.model.task;
  row.model_type = plan.model.model_type;
  row.runner = plan.model.task == "image-text-to-text" ? "image-text" : "text";
  row.capacity_bytes_per_core = static_cast<std::int64_t>(plan.bytes.capacity_per_core);
  if (target.device == "neuron") row.hbm_capacity_gb = gigabytes(*row.capacity_bytes_per_core);
  if (plan.status != PlanStatus::Fits) return;
  row.mode = std::string(to_text(*plan.mode));
  row.cores = plan.cores;
  row.tp = plan.cores;
  const PlanBytes& bytes = plan.bytes;
  row.planned_bytes_per_core =
      static_cast<std::int64_t>(bytes.per_core + bytes.buffers + bytes.kv_cache_per_core + bytes.reserve_per_core);
}

void set_limits(Row& row, const Bench& bench, std::string_view guards) {
  const SandboxLimits& limits = bench.limits;
  row.limits = fmt::format("{} of memory, {} processes, {} of scratch space, {} a file, {} s, {} s of silence; {}",
                           human_bytes(limits.memory_bytes), limits.processes, human_bytes(limits.scratch_bytes),
                           human_bytes(limits.file_bytes), bench.limit_s, bench.silence_s, guards);
}

void set_outcome(Row& row, const ScriptOutcome& outcome) {
  row.wall_s = static_cast<std::int32_t>(std::lround(outcome.wall_s));
  row.exit_status = outcome.end.status;
  row.exit_signal = outcome.end.signal;
}

void set_result(Row& row, const ReportResult& result) {
  row.prompt = result.prompt;
  row.text = result.text;
  row.tokens = result.tokens;
  row.load_s = result.load_s;
  row.compile_s = result.compile_s;
  row.first_token_s = result.first_token_s;
  row.tokens_per_s = result.tokens_per_s;
  row.warm_s = result.warm_s;
  row.graphs = result.graphs;
  row.cache_hits = result.compile_cache_hits;
  row.cache_misses = result.compile_cache_misses;
  row.fallback_ops = result.fallback_ops;
  if (result.memory_meter != "device_allocator") {
    row.peak_process_bytes = result.peak_bytes_per_core;
    return;
  }
  row.peak_bytes_per_core = result.peak_bytes_per_core;
  if (result.peak_bytes_per_core) row.hbm_peak_gb = gigabytes(*result.peak_bytes_per_core);
}

void set_judgement(Row& row, const Judgement& judgement) {
  set_verdict(row, judgement.verdict);
  row.evidence = std::string(to_text(judgement.evidence));
  if (judgement.failure) set_failure(row, *judgement.failure);
  row.first_mismatch = judgement.first_mismatch;
  row.margin = judgement.margin;
  row.max_logit_difference = judgement.max_logit_difference;
  row.judge_score = judgement.judge_score;
  row.cpu_match = cpu_match_of(judgement);
  if (judgement.judge_score) row.english = judgement.evidence == Evidence::Fluent ? "fluent" : "not fluent";
  if (!judgement.note.empty()) row.notes = judgement.note;
}

void set_end(Row& row, const AttemptEnd& end, std::string_view details) {
  set_verdict(row, end.verdict);
  row.evidence = std::string(to_text(Evidence::None));
  if (!end.failure) return;
  set_failure(row, *end.failure);
  if (details.empty()) return;
  HeadTail kept(kErrorCap);
  kept.add(details);
  row.error = to_valid_utf8(end.failure->message + "\n\n" + kept.text());
}

Row verdict_of_attempts(const std::vector<Row>& attempts) {
  const std::vector<Row> counted = with_the_inputs_that_count(attempts);
  std::vector<Verdict> verdicts;
  for (const Row& attempt : counted) verdicts.push_back(verdict_in(attempt));
  Standing standing;
  if (verdicts.back() == Verdict::TooLarge) standing.plan = PlanStatus::TooLarge;
  const CombinedVerdict combined = combine(verdicts, standing);
  Row row = counted[combined.shown.value_or(counted.size() - 1)];
  set_verdict(row, combined.verdict);
  row.attempts = static_cast<std::int32_t>(counted.size());
  return row;
}

}  // namespace willitrun
