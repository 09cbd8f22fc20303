#include "lab/campaign.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "domain/row_stack.h"
#include "lab/attempt_row.h"
#include "os/temporary_file.h"

namespace willitrun {
namespace {

Result<Row> record_exclusion(const Lab& lab, const Bench& bench, const CampaignModel& model) {
  Row row;
  row.model_id = model.request.model.id;
  row.library = "transformers";
  row.target = bench.target.name;
  row.emulated = bench.target.emulated;
  row.verdict = std::string(to_text(Verdict::Excluded));
  row.result = row.verdict;
  row.exclusion = model.exclusion->reason;
  set_stack(row, bench.interpreter.stack);
  RETURN_IF_ERROR(lab.journal.record_verdict(row));
  return row;
}

constexpr std::size_t kMostExtraPackages = 8;

/// Installs what a failed attempt missed. False when it missed nothing, or nothing that helps.
bool add_missing_packages(const Lab& lab, const Bench& bench, const Row& attempt, AttemptRequest& request,
                          std::vector<std::string>& names) {
  std::vector<std::string> wanted = names;
  for (std::string& name : missing_packages(attempt))
    if (std::ranges::find(wanted, name) == wanted.end()) wanted.push_back(std::move(name));
  if (wanted.size() == names.size() || wanted.size() > kMostExtraPackages) return false;
  std::ranges::sort(wanted);
  auto installed = install_packages(lab.home, bench.interpreter, wanted);
  if (!installed) {
    lab.progress.on_message(
        fmt::format("{}: cannot install {}: {}", request.model.id, join(wanted, ", "), installed.error().message));
    return false;
  }
  lab.progress.on_message(fmt::format("{}: trying again with {}", request.model.id, join(installed->pins, ", ")));
  request.packages = std::move(*installed);
  names = std::move(wanted);
  return true;
}

bool tells_about_the_model(const Row& attempt) {
  return attempt.verdict && *attempt.verdict != to_text(Verdict::Indeterminate);
}

/// Returns the verdict row of a model whose inputs were tested before with a telling result, if there is one.
Result<std::optional<Row>> unchanged_verdict(const Lab& lab, const Bench& bench, const AttemptRequest& request,
                                             const CampaignOptions& options) {
  const RowFilter ours{.model_ids = std::vector{request.model.id}, .target = bench.target.name, .with_scripts = true};
  ASSIGN_OR_RETURN(const auto verdicts, lab.journal.verdict_rows(ours));
  const Stack& stack = bench.interpreter.stack;
  for (const Row& verdict : verdicts) {
    if (stack_of(verdict) != stack || !verdict.inputs_digest) continue;
    if (options.install_missing && !missing_packages(verdict).empty()) continue;
    const auto digest = inputs_digest(lab, bench, request);
    if (!digest) return std::nullopt;  // Whatever the trouble is, the attempt will meet and record it.
    ASSIGN_OR_RETURN(const auto last, lab.journal.last_attempt_with_inputs(*digest));
    if (last && tells_about_the_model(*last)) return verdict;
  }
  return std::nullopt;
}

Result<CampaignRow> test_model(const Lab& lab, const Bench& bench, const CampaignModel& model,
                               const CampaignOptions& options) {
  if (model.exclusion) {
    ASSIGN_OR_RETURN(Row row, record_exclusion(lab, bench, model));
    return CampaignRow{std::move(row), false};
  }
  if (!options.force) {
    ASSIGN_OR_RETURN(auto known, unchanged_verdict(lab, bench, model.request, options));
    if (known) return CampaignRow{std::move(*known), true};
  }
  AttemptRequest request = model.request;
  std::vector<std::string> extra_packages;
  for (int attempt = 1;; ++attempt) {
    ASSIGN_OR_RETURN(FinishedAttempt finished, run_attempt(lab, bench, request));
    if (lab.stop) return fail(Code::Cancelled, "interrupted");
    if (options.install_missing && add_missing_packages(lab, bench, finished.attempt, request, extra_packages))
      continue;
    if (!finished.is_worth_retrying || attempt >= options.max_attempts)
      return CampaignRow{std::move(finished.verdict), false};
  }
}

}  // namespace

Status run_campaign(const Lab& lab, const Bench& bench, const std::vector<CampaignModel>& models,
                    const CampaignOptions& options, const std::function<void(const CampaignRow&)>& on_row) {
  ASSIGN_OR_RETURN(const auto abandoned, lab.journal.close_abandoned(verdict_of_attempts));
  for (const Row& row : abandoned)
    remove_abandoned_temporaries_below(lab.home.attempts() / row.attempt_id.value_or(""));
  for (const CampaignModel& model : models) {
    if (lab.stop) return fail(Code::Cancelled, "interrupted");
    ASSIGN_OR_RETURN(const CampaignRow row, test_model(lab, bench, model, options));
    on_row(row);
  }
  return {};
}

}  // namespace willitrun
