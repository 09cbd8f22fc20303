#include "lookup/column.h"

#include <algorithm>
#include <array>
#include <string>

namespace willitrun {
namespace {

/// Text columns whose values are long or different in almost every row.
constexpr auto kLeftInStore =
    std::to_array<std::string_view>({"run_py", "text", "reference_text", "package_lock", "prompt", "error",
                                     "attempt_id", "script_sha256", "inputs_digest", "other_columns", "model_id"});

/// What the newest ranking says about the model stands at the model, not at each of its cells.
constexpr std::array<std::string_view, 3> kOfTheModel = {"downloads", "downloads_rank", "trending_rank"};

template <class T>
Cell cell_of(T number, ColumnType type) {
  if (!is_present(number)) return {};
  if (type == ColumnType::Bool) return Cell(number != 0);
  if (type == ColumnType::Timestamp) return Cell(Time(std::chrono::milliseconds(static_cast<std::int64_t>(number))));
  if constexpr (std::is_same_v<T, std::int8_t>)
    return {};
  else
    return Cell(number);
}

}  // namespace

bool is_kept_in_snapshot(const RowColumn& column) {
  if (column.type == ColumnType::Int32List || column.type == ColumnType::StringList) return false;
  return std::ranges::find(kLeftInStore, column.name) == kLeftInStore.end() &&
         std::ranges::find(kOfTheModel, column.name) == kOfTheModel.end();
}

std::uint32_t TextColumn::code_of(std::string_view text) const {
  std::uint32_t low = 1;
  auto high = static_cast<std::uint32_t>(texts_.size());
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (texts_[middle] < text)
      low = middle + 1;
    else
      high = middle;
  }
  return low < texts_.size() && texts_[low] == text ? low : 0;
}

Cell CellColumn::get(std::size_t cell) const {
  if (is_empty()) return {};
  return std::visit(
      [&](const auto& values) -> Cell {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(values)>, TextColumn>)
          return values.code(cell) == 0 ? Cell() : Cell(std::string(values.text(cell)));
        else
          return cell_of(values[cell], description_->type);
      },
      values_);
}

}  // namespace willitrun
