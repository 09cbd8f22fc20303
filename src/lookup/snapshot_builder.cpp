// Rows come in any order, and which number a model or a stack gets is known only when all have come. So rows go into
// columns in their order of arrival, with provisional numbers; at the end one sort finds the order of cells that makes
// questions cheap, and every column is written in that order to its place in the file's content.
#include "lookup/snapshot_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "domain/row_stack.h"
#include "domain/version_order.h"
#include "lookup/model_table_builder.h"

namespace willitrun {
namespace {

std::vector<std::uint32_t> iota(std::size_t size) {
  std::vector<std::uint32_t> numbers(size);
  std::iota(numbers.begin(), numbers.end(), 0U);
  return numbers;
}

/// Ranks stacks by one part: equal parts get equal ranks.
template <class Less, class Same>
std::vector<std::uint32_t> ranks(const std::vector<Stack>& stacks, Less less, Same same) {
  auto order = iota(stacks.size());
  std::ranges::stable_sort(order, [&](auto a, auto b) { return less(stacks[a], stacks[b]); });
  std::vector<std::uint32_t> rank(stacks.size(), 0);
  for (std::size_t i = 1; i < order.size(); ++i)
    rank[order[i]] = rank[order[i - 1]] + (same(stacks[order[i - 1]], stacks[order[i]]) ? 0 : 1);
  return rank;
}

std::vector<std::uint32_t> rank_libraries(const std::vector<Stack>& stacks) {
  const auto order = [](const Stack& a, const Stack& b) {
    if (const auto by_library = a.library <=> b.library; by_library != 0) return by_library;
    if (const auto by_version = compare_versions(a.library_version, b.library_version); by_version != 0)
      return by_version;
    return compare_versions(a.transformers, b.transformers);
  };
  return ranks(
      stacks, [&](const Stack& a, const Stack& b) { return order(a, b) < 0; },
      [&](const Stack& a, const Stack& b) { return order(a, b) == 0; });
}

std::vector<std::uint32_t> rank_compilers(const std::vector<Stack>& stacks) {
  return ranks(
      stacks, [](const Stack& a, const Stack& b) { return compare_versions(a.neuronx_cc, b.neuronx_cc) < 0; },
      [](const Stack& a, const Stack& b) { return compare_versions(a.neuronx_cc, b.neuronx_cc) == 0; });
}

}  // namespace

std::string stack_key(const Stack& stack) {
  return fmt::format("{} {} {} {}", stack.neuronx_cc, stack.library, stack.library_version, stack.transformers);
}

std::string shown_verdict(const Row& row) {
  if (row.verdict) return *row.verdict;
  if (row.exclusion && !row.exclusion->empty()) return "EXCLUDED";
  return row.result.value_or("INDETERMINATE");
}

std::string shown_target(const Row& row) {
  std::string target = target_of(row);
  if (row.emulated.value_or(false) && target == "trn2") return "trn2-emulated";
  return target;
}

SnapshotBuilder::SnapshotBuilder() {
  for (const RowColumn& column : row_columns())
    if (is_kept_in_snapshot(column)) columns_.emplace_back(column);
}

std::uint32_t SnapshotBuilder::model_number_of(std::string_view id) {
  if (!models_.empty() && models_[last_model_].model.id == id) return last_model_;  // neighbours often are alike
  const auto known = model_numbers_.find(id);
  if (known != model_numbers_.end()) return last_model_ = known->second;
  last_model_ = static_cast<std::uint32_t>(models_.size());
  model_numbers_.emplace(id, last_model_);
  models_.push_back({.model = {.id = std::string(id)}, .ranked = false});
  return last_model_;
}

void SnapshotBuilder::add_model(const RankedModel& model) {
  ModelFacts& facts = models_[model_number_of(model.id)];
  facts.model = model;
  facts.ranked = true;
}

std::uint32_t SnapshotBuilder::stack_number_of(const Row& row) {
  key_.clear();
  for (const auto* part : {&row.neuronx_cc, &row.library, &row.library_version, &row.transformers})
    key_.append(*part ? std::string_view(**part) : std::string_view()).push_back(' ');
  const std::int64_t tested_at = row.tested_at.value_or(Time()).time_since_epoch().count();
  const auto known = stack_numbers_.find(key_);
  if (known == stack_numbers_.end()) {
    stack_numbers_.emplace(key_, static_cast<std::uint32_t>(stacks_.size()));
    stacks_.push_back(stack_of(row));
    stack_tested_at_.push_back(tested_at);
    return static_cast<std::uint32_t>(stacks_.size() - 1);
  }
  if (stack_tested_at_[known->second] < tested_at) {
    stack_tested_at_[known->second] = tested_at;
    if (!has_stack(row, stacks_[known->second])) stacks_[known->second] = stack_of(row);
  }
  return known->second;
}

std::uint8_t SnapshotBuilder::target_number_of(const Row& row) {
  std::string target = shown_target(row);
  auto found = std::ranges::find(targets_, target);
  if (found == targets_.end()) found = targets_.insert(targets_.end(), std::move(target));
  return static_cast<std::uint8_t>(found - targets_.begin());
}

void SnapshotBuilder::add_row(const Row& row) {
  if (!row.model_id) return;
  const std::size_t cell = row_model_.size();
  const std::uint32_t model = model_number_of(*row.model_id);
  if (row.task && models_[model].model.task.empty()) models_[model].model.task = *row.task;
  if (row.local_model.value_or(false)) models_[model].model.local = true;
  row_model_.push_back(model);
  row_stack_.push_back(stack_number_of(row));
  row_target_.push_back(target_number_of(row));
  row_tested_at_.push_back(row.tested_at.value_or(Time()).time_since_epoch().count());
  verdicts_.add(shown_verdict(row));
  for (CellColumnBuilder& column : columns_) column.add(row, cell);
}

std::vector<std::uint32_t> SnapshotBuilder::models_by_downloads() const {
  auto order = iota(models_.size());
  std::ranges::sort(order, [this](auto a, auto b) {
    const RankedModel& left = models_[a].model;
    const RankedModel& right = models_[b].model;
    if (left.downloads != right.downloads) return left.downloads > right.downloads;
    return left.id < right.id;
  });
  return order;
}

Status SnapshotBuilder::write_models(SnapshotFileWriter& writer) {
  const auto order = models_by_downloads();
  final_model_.resize(order.size());
  for (ModelNumber number = 0; number < order.size(); ++number) final_model_[order[number]] = number;
  ModelTableBuilder table(order.size());
  for (const std::uint32_t number : order) table.add(models_[number].model, models_[number].ranked);
  for (std::size_t i = 0; i < selected_.size(); ++i)
    if (const auto known = model_numbers_.find(selected_[i]); known != model_numbers_.end())
      table.select(final_model_[known->second], static_cast<std::int32_t>(i + 1));
  for (const auto& [id, exclusion] : excluded_)
    if (const auto known = model_numbers_.find(id); known != model_numbers_.end())
      table.exclude(final_model_[known->second], exclusion);
  return std::move(table).write(writer);
}

Status SnapshotBuilder::write_stacks(SnapshotFileWriter& writer) {
  if (stacks_.size() > UINT16_MAX || targets_.size() > UINT8_MAX || row_model_.size() >= kNone)
    return fail(Code::ResourceExhausted, fmt::format("too much for one snapshot: {} stacks, {} targets, {} rows",
                                                     stacks_.size(), targets_.size(), row_model_.size()));
  auto order = iota(stacks_.size());
  std::ranges::sort(order, [this](auto a, auto b) { return compare_stacks(stacks_[a], stacks_[b]) < 0; });
  final_stack_.resize(stacks_.size());
  std::vector<Stack> stacks;
  std::vector<std::string> texts;
  for (StackNumber number = 0; number < order.size(); ++number) {
    final_stack_[order[number]] = number;
    stacks.push_back(std::move(stacks_[order[number]]));
    for (const auto part : stack_parts()) texts.push_back(stacks.back().*part);
  }
  writer.add_texts("stacks", texts);
  axes_ = {.num_models = models_.size(),
           .num_targets = targets_.size(),
           .library_rank = rank_libraries(stacks),
           .compiler_rank = rank_compilers(stacks)};
  std::vector<std::string> targets = targets_;
  std::ranges::sort(targets);
  writer.add_texts("targets", targets);
  for (const std::string& target : targets_)
    final_target_.push_back(static_cast<std::uint8_t>(std::ranges::lower_bound(targets, target) - targets.begin()));
  return {};
}

/// The rows in the order of cells; of several for one cell only the newest.
std::vector<CellPlace> SnapshotBuilder::sorted_places() const {
  std::vector<CellPlace> places;
  places.reserve(row_model_.size());
  for (std::uint32_t row = 0; row < row_model_.size(); ++row) {
    const StackNumber stack = row_stack_[row];
    places.push_back({std::uint64_t{final_target_[row_target_[row]]} << 32 | final_model_[row_model_[row]],
                      axes_.library_rank[stack] << 16 | axes_.compiler_rank[stack], row});
  }
  const auto comes_before = [this](const CellPlace& a, const CellPlace& b) {
    if (a.target_and_model != b.target_and_model) return a.target_and_model < b.target_and_model;
    if (a.line != b.line) return a.line < b.line;
    if (row_tested_at_[a.row] != row_tested_at_[b.row]) return row_tested_at_[a.row] > row_tested_at_[b.row];
    return a.row < b.row;
  };
  if (!std::ranges::is_sorted(places, comes_before)) std::ranges::sort(places, comes_before);
  const auto repeated = std::ranges::unique(places, [](const CellPlace& a, const CellPlace& b) {
    return a.target_and_model == b.target_and_model && a.line == b.line;
  });
  places.erase(repeated.begin(), repeated.end());
  return places;
}

void SnapshotBuilder::write_cells(SnapshotFileWriter& writer, CellOrder& order) {
  for (std::uint32_t& stack : row_stack_) stack = final_stack_[stack];
  const std::vector<CellPlace> places = sorted_places();
  CellLayout(axes_, places, row_stack_).write(writer);
  order.reserve(places.size());
  for (const CellPlace& place : places) order.push_back(place.row);
}

Result<std::string> SnapshotBuilder::write(std::string_view state) && {
  SnapshotFileWriter writer;
  CellOrder order;
  RETURN_IF_ERROR(write_models(writer));
  RETURN_IF_ERROR(write_stacks(writer));
  write_cells(writer, order);
  std::move(verdicts_).write(writer, "verdicts", &order);
  for (CellColumnBuilder& column : columns_) std::move(column).write(writer, row_model_.size(), order);
  return std::move(writer).finish(state);
}

Result<std::shared_ptr<const LookupSnapshot>> SnapshotBuilder::finish() && {
  ASSIGN_OR_RETURN(std::string bytes, std::move(*this).write(""));
  return open_snapshot(std::move(bytes));
}

Result<std::shared_ptr<const LookupSnapshot>> open_snapshot(std::string bytes) {
  const auto owner = std::make_shared<const std::string>(std::move(bytes));
  return LookupSnapshot::open(owner, *owner);
}

SnapshotBuilder builder_of(const SnapshotInput& input) {
  SnapshotBuilder builder;
  for (const RankedModel& model : input.models) builder.add_model(model);
  for (const Row& row : input.rows) builder.add_row(row);
  builder.set_selected(input.selected);
  builder.set_excluded(input.excluded);
  return builder;
}

Result<std::shared_ptr<const LookupSnapshot>> make_snapshot(const SnapshotInput& input) {
  return builder_of(input).finish();
}

}  // namespace willitrun
