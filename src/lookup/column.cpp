#include "lookup/column.h"

#include <algorithm>
#include <array>

#include "base/check.h"

namespace willitrun {
namespace {

/// Text columns whose values are long or different in almost every row.
constexpr auto kLeftInStore =
    std::to_array<std::string_view>({"run_py", "text", "reference_text", "package_lock", "prompt", "error",
                                     "attempt_id", "script_sha256", "inputs_digest", "other_columns", "model_id"});

/// What the newest ranking says about the model stands at the model, not at each of its cells.
constexpr std::array<std::string_view, 3> kOfTheModel = {"downloads", "downloads_rank", "trending_rank"};

template <class T>
void put_in_order(std::vector<T>& values, const std::vector<std::uint32_t>& order) {
  std::vector<T> ordered(order.size());
  std::ranges::transform(order, ordered.begin(), [&](std::uint32_t from) { return values[from]; });
  values = std::move(ordered);
}

CellColumn::Values empty_values(ColumnType type) {
  switch (type) {
    case ColumnType::Bool: return std::vector<std::int8_t>();
    case ColumnType::Int32: return std::vector<std::int32_t>();
    case ColumnType::Int64:
    case ColumnType::Timestamp: return std::vector<std::int64_t>();
    case ColumnType::Double: return std::vector<double>();
    default: return TextColumn();
  }
}

/// The number that a cell of a row holds, in the type that the column keeps.
template <class T>
T number_of(const Cell& cell) {
  if (const auto* time = std::get_if<Time>(&cell)) return static_cast<T>(time->time_since_epoch().count());
  if (const auto* flag = std::get_if<bool>(&cell)) return static_cast<T>(*flag);
  if (const auto* number = std::get_if<std::int32_t>(&cell)) return static_cast<T>(*number);
  if (const auto* number = std::get_if<std::int64_t>(&cell)) return static_cast<T>(*number);
  return static_cast<T>(std::get<double>(cell));
}

}  // namespace

bool is_kept_in_snapshot(const RowColumn& column) {
  if (column.type == ColumnType::Int32List || column.type == ColumnType::StringList) return false;
  return std::ranges::find(kLeftInStore, column.name) == kLeftInStore.end() &&
         std::ranges::find(kOfTheModel, column.name) == kOfTheModel.end();
}

void TextColumn::add(std::string_view text) {
  const auto known = numbers_.find(text);
  if (known != numbers_.end()) return add_code(known->second);
  const auto code = static_cast<std::uint32_t>(texts_.size());
  texts_.emplace_back(text);
  numbers_.emplace(text, code);
  add_code(code);
}

void TextColumn::add_absent() { add_code(0); }

std::size_t TextColumn::size() const {
  return std::visit([](const auto& codes) { return codes.size(); }, codes_);
}

std::uint32_t TextColumn::code_of(std::string_view text) const {
  const auto known = numbers_.find(text);
  return known == numbers_.end() ? 0 : known->second;
}

/// Widens the numbers when the first one comes that they cannot hold.
void TextColumn::add_code(std::uint32_t code) {
  if (auto* narrow = std::get_if<std::vector<std::uint8_t>>(&codes_); narrow != nullptr && code > UINT8_MAX)
    codes_ = std::vector<std::uint16_t>(narrow->begin(), narrow->end());
  if (auto* narrow = std::get_if<std::vector<std::uint16_t>>(&codes_); narrow != nullptr && code > UINT16_MAX)
    codes_ = std::vector<std::uint32_t>(narrow->begin(), narrow->end());
  std::visit(
      [code](auto& codes) {
        using Code = typename std::remove_reference_t<decltype(codes)>::value_type;
        codes.push_back(static_cast<Code>(code));
      },
      codes_);
}

void TextColumn::reorder(const std::vector<std::uint32_t>& order) {
  std::visit([&](auto& codes) { put_in_order(codes, order); }, codes_);
}

CellColumn::CellColumn(const RowColumn& column) : description_(&column), values_(empty_values(column.type)) {}

void CellColumn::pad(std::size_t num_cells) {
  std::visit(
      [&](auto& values) {
        using V = std::remove_reference_t<decltype(values)>;
        if constexpr (std::is_same_v<V, TextColumn>) {
          while (values.size() < num_cells) values.add_absent();
        } else {
          values.resize(num_cells, absent_number<typename V::value_type>());
        }
      },
      values_);
  size_ = num_cells;
}

void CellColumn::add(const Row& row, std::size_t cell) {
  const Cell value = description_->get(row);
  if (std::holds_alternative<std::monostate>(value)) return;
  pad(cell);
  std::visit(
      [&](auto& values) {
        using V = std::remove_reference_t<decltype(values)>;
        if constexpr (std::is_same_v<V, TextColumn>) {
          values.add(std::get<std::string>(value));
        } else {
          values.push_back(number_of<typename V::value_type>(value));
        }
      },
      values_);
  size_ = cell + 1;
}

Cell CellColumn::get(std::size_t cell) const {
  if (is_empty()) return {};
  return std::visit(
      [&](const auto& values) -> Cell {
        using V = std::remove_cvref_t<decltype(values)>;
        if constexpr (std::is_same_v<V, TextColumn>) {
          return values.code(cell) == 0 ? Cell() : Cell(std::string(values.text(cell)));
        } else {
          const auto number = values[cell];
          if (!is_present(number)) return {};
          if (description_->type == ColumnType::Bool) return Cell(number != 0);
          if (description_->type == ColumnType::Timestamp)
            return Cell(Time(std::chrono::milliseconds(static_cast<std::int64_t>(number))));
          if constexpr (std::is_same_v<V, std::vector<std::int8_t>>)
            return {};
          else
            return Cell(number);
        }
      },
      values_);
}

void CellColumn::finish(std::size_t num_cells, const std::vector<std::uint32_t>& order) {
  if (is_empty()) return;
  pad(num_cells);
  std::visit(
      [&](auto& values) {
        if constexpr (std::is_same_v<std::remove_reference_t<decltype(values)>, TextColumn>) {
          values.reorder(order);
        } else {
          put_in_order(values, order);
        }
      },
      values_);
}

}  // namespace willitrun
