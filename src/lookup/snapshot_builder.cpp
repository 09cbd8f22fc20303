// Rows come in any order, and which number a model or a stack gets is known only when all have come. So rows go into
// columns in their order of arrival, with provisional numbers; at the end one sort puts the cells in the order that
// makes questions cheap, and every column is rearranged by it.
#include "lookup/snapshot_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "domain/row_stack.h"
#include "domain/version_order.h"
#include "search/name_index_builder.h"

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

template <class T>
T value_or_absent(const std::optional<T>& value) {
  return value.value_or(absent_number<T>());
}

void add_text(TextColumn& column, std::string_view text) {
  if (text.empty())
    column.add_absent();
  else
    column.add(text);
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
    if (is_kept_in_snapshot(column)) data_.columns.emplace_back(column);
}

std::uint32_t SnapshotBuilder::model_number_of(std::string_view id) {
  const auto [known, is_new] = model_numbers_.try_emplace(std::string(id), static_cast<std::uint32_t>(models_.size()));
  if (is_new) models_.push_back({.model = {.id = std::string(id)}});
  return known->second;
}

void SnapshotBuilder::add_model(const RankedModel& model) {
  ModelFacts& facts = models_[model_number_of(model.id)];
  facts.model = model;
  facts.ranked = true;
}

std::uint32_t SnapshotBuilder::stack_number_of(const Row& row) {
  Stack stack = stack_of(row);
  const std::int64_t tested_at = row.tested_at.value_or(Time()).time_since_epoch().count();
  const auto [known, is_new] = stack_numbers_.try_emplace(stack_key(stack), static_cast<std::uint32_t>(stacks_.size()));
  if (is_new) {
    stacks_.push_back(std::move(stack));
    stack_tested_at_.push_back(tested_at);
  } else if (stack_tested_at_[known->second] < tested_at) {
    stacks_[known->second] = std::move(stack);
    stack_tested_at_[known->second] = tested_at;
  }
  return known->second;
}

void SnapshotBuilder::add_row(const Row& row) {
  if (!row.model_id) return;
  const std::size_t cell = row_model_.size();
  const std::uint32_t model = model_number_of(*row.model_id);
  if (row.task && models_[model].model.task.empty()) models_[model].model.task = *row.task;
  if (row.local_model.value_or(false)) models_[model].model.local = true;
  const std::string target = shown_target(row);
  auto found = std::ranges::find(targets_, target);
  if (found == targets_.end()) found = targets_.insert(targets_.end(), target);
  row_model_.push_back(model);
  row_stack_.push_back(stack_number_of(row));
  row_target_.push_back(static_cast<std::uint8_t>(found - targets_.begin()));
  row_tested_at_.push_back(row.tested_at.value_or(Time()).time_since_epoch().count());
  data_.verdicts.add(shown_verdict(row));
  for (CellColumn& column : data_.columns) column.add(row, cell);
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

Status SnapshotBuilder::make_models() {
  const auto order = models_by_downloads();
  std::vector<std::string_view> ids;
  for (const std::uint32_t number : order) ids.push_back(models_[number].model.id);
  ASSIGN_OR_RETURN(data_.name_bytes, build_name_index(ids));
  ASSIGN_OR_RETURN(data_.names, NameIndex::open(data_.name_bytes));
  data_.by_id = iota(order.size());
  std::ranges::sort(data_.by_id, {}, [&](ModelNumber model) { return ids[model]; });
  ModelTable& table = data_.models;
  for (Bitmap* flags : {&table.gated, &table.removed, &table.local, &table.ranked}) *flags = Bitmap(order.size());
  final_model_.resize(order.size());
  for (ModelNumber number = 0; number < order.size(); ++number) {
    final_model_[order[number]] = number;
    add_model_facts(number, models_[order[number]]);
  }
  mark_selected_and_excluded();
  return {};
}

void SnapshotBuilder::add_model_facts(ModelNumber number, const ModelFacts& facts) {
  const RankedModel& model = facts.model;
  ModelTable& table = data_.models;
  add_text(table.task, model.task);
  add_text(table.library, model.library);
  add_text(table.license, model.license);
  table.downloads.push_back(value_or_absent(model.downloads));
  table.likes.push_back(value_or_absent(model.likes));
  table.parameters.push_back(value_or_absent(model.parameters));
  table.trending_score.push_back(value_or_absent(model.trending_score));
  table.downloads_rank.push_back(value_or_absent(model.downloads_rank));
  table.trending_rank.push_back(value_or_absent(model.trending_rank));
  if (model.gated) table.gated.set(number);
  if (model.removed) table.removed.set(number);
  if (model.local) table.local.set(number);
  if (facts.ranked) table.ranked.set(number);
}

void SnapshotBuilder::mark_selected_and_excluded() {
  data_.models.selected_rank.assign(models_.size(), absent_number<std::int32_t>());
  for (std::size_t i = 0; i < selected_.size(); ++i)
    if (const auto known = model_numbers_.find(selected_[i]); known != model_numbers_.end())
      data_.models.selected_rank[final_model_[known->second]] = static_cast<std::int32_t>(i + 1);
  std::vector<const Exclusion*> exclusions(models_.size(), nullptr);
  for (const auto& [id, exclusion] : excluded_)
    if (const auto known = model_numbers_.find(id); known != model_numbers_.end())
      exclusions[final_model_[known->second]] = &exclusion;
  for (const Exclusion* exclusion : exclusions) {
    add_text(data_.models.exclusion, exclusion == nullptr ? "" : std::string_view(exclusion->reason));
    add_text(data_.models.exclusion_kind, exclusion == nullptr ? "" : to_text(exclusion->kind));
  }
}

Status SnapshotBuilder::make_stacks() {
  if (stacks_.size() > UINT16_MAX || targets_.size() > UINT8_MAX || row_model_.size() >= kNone)
    return fail(Code::ResourceExhausted, fmt::format("too much for one snapshot: {} stacks, {} targets, {} rows",
                                                     stacks_.size(), targets_.size(), row_model_.size()));
  auto order = iota(stacks_.size());
  std::ranges::sort(order, [this](auto a, auto b) { return compare_stacks(stacks_[a], stacks_[b]) < 0; });
  final_stack_.resize(stacks_.size());
  for (StackNumber number = 0; number < order.size(); ++number) {
    final_stack_[order[number]] = number;
    data_.stacks.push_back(stacks_[order[number]]);
  }
  library_rank_ = rank_libraries(data_.stacks);
  compiler_rank_ = rank_compilers(data_.stacks);
  data_.targets = targets_;
  std::ranges::sort(data_.targets);
  for (const std::string& target : targets_)
    final_target_.push_back(
        static_cast<std::uint8_t>(std::ranges::lower_bound(data_.targets, target) - data_.targets.begin()));
  return {};
}

/// The rows in the order of cells; of several for one cell only the newest.
std::vector<SnapshotBuilder::Place> SnapshotBuilder::sorted_places() const {
  std::vector<Place> places;
  places.reserve(row_model_.size());
  for (std::uint32_t row = 0; row < row_model_.size(); ++row) {
    const StackNumber stack = final_stack_[row_stack_[row]];
    places.push_back({std::uint64_t{final_target_[row_target_[row]]} << 32 | final_model_[row_model_[row]],
                      library_rank_[stack] << 16 | compiler_rank_[stack], row});
  }
  std::ranges::sort(places, [this](const Place& a, const Place& b) {
    if (a.target_and_model != b.target_and_model) return a.target_and_model < b.target_and_model;
    if (a.line != b.line) return a.line < b.line;
    if (row_tested_at_[a.row] != row_tested_at_[b.row]) return row_tested_at_[a.row] > row_tested_at_[b.row];
    return a.row < b.row;
  });
  const auto repeated = std::ranges::unique(places, [](const Place& a, const Place& b) {
    return a.target_and_model == b.target_and_model && a.line == b.line;
  });
  places.erase(repeated.begin(), repeated.end());
  return places;
}

void SnapshotBuilder::make_cells() {
  const std::vector<Place> places = sorted_places();
  std::vector<std::uint32_t> order;
  order.reserve(places.size());
  data_.model_of_cell.reserve(places.size());
  data_.stack_of_cell.reserve(places.size());
  for (const Place& place : places) {
    order.push_back(place.row);
    data_.model_of_cell.push_back(static_cast<ModelNumber>(place.target_and_model));
    data_.stack_of_cell.push_back(static_cast<std::uint16_t>(final_stack_[row_stack_[place.row]]));
  }
  std::size_t cell = 0;
  for (std::uint64_t target = 0; target < targets_.size(); ++target) {
    for (std::uint64_t model = 0; model <= models_.size(); ++model) {
      while (cell < places.size() && places[cell].target_and_model < (target << 32 | model)) ++cell;
      data_.model_starts.push_back(static_cast<CellNumber>(cell));
    }
  }
  data_.verdicts.reorder(order);
  for (CellColumn& column : data_.columns) column.finish(row_model_.size(), order);
}

/// Lists the cells of every target and stack: a counting sort, which keeps the order of models.
void SnapshotBuilder::index_cells() {
  const std::size_t num_stacks = data_.stacks.size();
  std::vector<std::uint32_t>& starts = data_.stack_starts;
  starts.assign(targets_.size() * num_stacks + 1, 0);
  const auto for_each_cell = [&](auto visit) {
    for (std::uint32_t target = 0; target < targets_.size(); ++target) {
      const CellRange range = data_.cells_of_target(target);
      for (CellNumber cell = range.first; cell < range.last; ++cell)
        visit(target * num_stacks + data_.stack_of_cell[cell], cell);
    }
  };
  for_each_cell([&](std::size_t place, CellNumber) { ++starts[place + 1]; });
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  auto next = starts;
  data_.stack_cells.resize(data_.model_of_cell.size());
  for_each_cell([&](std::size_t place, CellNumber cell) { data_.stack_cells[next[place]++] = cell; });
}

/// Finds for every cell its successor with the same library (the neighbour) and with the same compiler (a link).
void SnapshotBuilder::link_cells() {
  data_.next_library.assign(data_.model_of_cell.size(), kNone);
  std::vector<CellNumber> last_of_compiler(data_.stacks.size(), kNone);
  for (std::uint32_t target = 0; target < targets_.size(); ++target) {
    const CellRange all = data_.cells_of_target(target);
    Bitmap& has_next = data_.has_next_compiler.emplace_back(all.size());
    for (ModelNumber model = 0; model < models_.size(); ++model) {
      const CellRange range = data_.cells_of(target, model);
      for (CellNumber cell = range.first; cell < range.last; ++cell) {
        const StackNumber stack = data_.stack_of_cell[cell];
        CellNumber& previous = last_of_compiler[compiler_rank_[stack]];
        if (previous != kNone) data_.next_library[previous] = cell;
        previous = cell;
        if (cell + 1 < range.last && library_rank_[data_.stack_of_cell[cell + 1]] == library_rank_[stack])
          has_next.set(cell - all.first);
      }
      for (CellNumber cell = range.first; cell < range.last; ++cell)
        last_of_compiler[compiler_rank_[data_.stack_of_cell[cell]]] = kNone;
    }
  }
}

Result<std::shared_ptr<const LookupSnapshot>> SnapshotBuilder::finish() && {
  RETURN_IF_ERROR(make_models());
  RETURN_IF_ERROR(make_stacks());
  make_cells();
  index_cells();
  link_cells();
  return std::make_shared<const LookupSnapshot>(std::move(data_));
}

Result<std::shared_ptr<const LookupSnapshot>> make_snapshot(const SnapshotInput& input) {
  SnapshotBuilder builder;
  for (const RankedModel& model : input.models) builder.add_model(model);
  for (const Row& row : input.rows) builder.add_row(row);
  builder.set_selected(input.selected);
  builder.set_excluded(input.excluded);
  return std::move(builder).finish();
}

}  // namespace willitrun
