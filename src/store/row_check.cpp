#include "store/row_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "domain/failure.h"
#include "domain/model_ref.h"
#include "domain/plan.h"
#include "domain/row_columns.h"
#include "domain/verdict.h"
#include "os/sha256.h"

namespace willitrun {
namespace {

using Problems = std::vector<std::string>;

/// Columns whose numbers may be below zero: differences and likelihoods.
bool may_be_negative(std::string_view column) {
  return column == "margin" || column == "judge_score" || column == "exit_status" || column == "exit_signal";
}

void check_number(std::string_view column, double number, Problems& problems) {
  if (!std::isfinite(number))
    problems.push_back(fmt::format("column '{}' is no finite number", column));
  else if (number < 0 && !may_be_negative(column))
    problems.push_back(fmt::format("column '{}' is negative: {}", column, number));
}

void check_cell(const RowColumn& column, const Cell& cell, Problems& problems) {
  if (const auto* text = std::get_if<std::string>(&cell); text != nullptr && !is_utf8(*text))
    problems.push_back(fmt::format("column '{}' is not UTF-8", column.name));
  if (const auto* number = std::get_if<double>(&cell)) check_number(column.name, *number, problems);
  if (const auto* number = std::get_if<std::int32_t>(&cell)) check_number(column.name, *number, problems);
  if (const auto* number = std::get_if<std::int64_t>(&cell))
    check_number(column.name, static_cast<double>(*number), problems);
}

template <NamedEnum E>
void check_word(std::string_view column, const std::optional<std::string>& word, Problems& problems) {
  if (word && !from_text<E>(*word))
    problems.push_back(fmt::format("column '{}' has the unknown word '{}'", column, *word));
}

void check_words(const Row& row, Problems& problems) {
  check_word<Verdict>("verdict", row.verdict, problems);
  check_word<Evidence>("evidence", row.evidence, problems);
  check_word<Mark>("reached", row.reached, problems);
  check_word<Stage>("stage", row.stage, problems);
  check_word<ChargedTo>("charged_to", row.charged_to, problems);
  check_word<Mode>("mode", row.mode, problems);
  if (row.failure_class && !find_failure_class(*row.failure_class))
    problems.push_back(fmt::format("column 'class' has the unknown word '{}'", *row.failure_class));
}

void check_model(const Row& row, Problems& problems) {
  if (!row.model_id || row.model_id->empty())
    problems.emplace_back("column 'model_id' is empty");
  else if (!row.local_model.value_or(false) && !is_hub_id(*row.model_id))
    problems.push_back(fmt::format("column 'model_id' is no Hub id: '{}'", to_valid_utf8(*row.model_id)));
}

void check_numbers_together(const Row& row, Problems& problems) {
  if (row.tp && *row.tp == 0) problems.emplace_back("column 'tp' is 0: a model needs a core");
  if (row.hbm_peak_gb && row.hbm_capacity_gb && *row.hbm_peak_gb > *row.hbm_capacity_gb)
    problems.push_back(fmt::format("column 'hbm_peak_gb' ({}) is above 'hbm_capacity_gb' ({})", *row.hbm_peak_gb,
                                   *row.hbm_capacity_gb));
  if (row.first_mismatch && row.tokens && static_cast<std::size_t>(*row.first_mismatch) >= row.tokens->size())
    problems.push_back(
        fmt::format("column 'first_mismatch' is {}, beyond the {} tokens", *row.first_mismatch, row.tokens->size()));
  if (row.other_columns && row.other_columns->contains("\"neuron_cores\":"))
    problems.push_back(fmt::format("columns 'tp' ({}) and 'neuron_cores' differ", row.tp.value_or(0)));
}

void check_meaning(const Row& row, Problems& problems) {
  if (row.verdict == "PASS" && row.failure_class) problems.emplace_back("a PASS has a failure class");
  if (row.verdict == "EXCLUDED" && !row.exclusion)
    problems.emplace_back("an EXCLUDED model has no reason in 'exclusion'");
  if (row.target == "trn2" && row.emulated.value_or(false))
    problems.emplace_back("an emulated run counts as target trn2");
  if (row.script_sha256 && row.run_py && sha256_hex(*row.run_py) != *row.script_sha256)
    problems.emplace_back("column 'script_sha256' is not the digest of 'run_py'");
}

void check_time(const Row& row, Time now, Problems& problems) {
  constexpr auto kClockSkew = std::chrono::hours(24);
  if (row.tested_at && *row.tested_at > now + kClockSkew)
    problems.push_back(fmt::format("column 'tested_at' is in the future: {}", to_text(*row.tested_at)));
}

}  // namespace

std::vector<std::string> impossible_values(const Row& row, bool ours, Time now) {
  Problems problems;
  check_model(row, problems);
  for (const RowColumn& column : row_columns()) check_cell(column, column.get(row), problems);
  if (ours) check_words(row, problems);
  check_numbers_together(row, problems);
  if (ours) check_meaning(row, problems);
  check_time(row, now, problems);
  return problems;
}

}  // namespace willitrun
