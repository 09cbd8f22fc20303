#include "lookup/snapshot.h"

#include <algorithm>

namespace willitrun {
namespace {

/// Sets a field of a row unless the value is absent.
template <class Field, class T>
void set_if_present(Field& field, T value) {
  if (is_present(value)) field = value;
}

void set_if_present(std::optional<std::string>& field, std::string_view text) {
  if (!text.empty()) field = std::string(text);
}

}  // namespace

std::optional<ModelNumber> LookupSnapshot::find_model(std::string_view id) const {
  const auto found =
      std::ranges::lower_bound(data_.by_id, id, {}, [this](ModelNumber model) { return model_id(model); });
  if (found == data_.by_id.end() || model_id(*found) != id) return std::nullopt;
  return *found;
}

std::optional<std::uint32_t> LookupSnapshot::find_target(std::string_view name) const {
  const auto found = std::ranges::find(data_.targets, name);
  if (found == data_.targets.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - data_.targets.begin());
}

std::span<const CellNumber> LookupSnapshot::cells_on(std::uint32_t target, StackNumber stack) const {
  const std::size_t at = target * data_.stacks.size() + stack;
  const std::span<const std::uint32_t> starts = data_.cells.stack_starts;
  return data_.cells.stack_cells.subspan(starts[at], starts[at + 1] - starts[at]);
}

const CellColumn* LookupSnapshot::column(std::string_view name) const {
  if (name == "neuron_cores") name = "tp";
  const auto found =
      std::ranges::find(data_.columns, name, [](const CellColumn& column) { return column.description().name; });
  return found == data_.columns.end() ? nullptr : &*found;
}

Row LookupSnapshot::row_without_result(ModelNumber model) const {
  Row row;
  row.model_id = std::string(model_id(model));
  set_if_present(row.task, data_.models.task.text(model));
  set_if_present(row.exclusion, data_.models.exclusion.text(model));
  set_if_present(row.downloads, data_.models.downloads[model]);
  set_if_present(row.downloads_rank, data_.models.downloads_rank[model]);
  set_if_present(row.trending_rank, data_.models.trending_rank[model]);
  row.verdict = row.exclusion ? "EXCLUDED" : "UNTESTED";
  return row;
}

Row LookupSnapshot::row_of(CellNumber cell) const {
  Row row = row_without_result(model_of(cell));
  for (const CellColumn& column : data_.columns)
    if (Cell value = column.get(cell); !std::holds_alternative<std::monostate>(value))
      column.description().set(row, std::move(value));
  row.verdict = std::string(data_.verdicts.text(cell));
  return row;
}

}  // namespace willitrun
