#include "lookup/column_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace willitrun {
namespace {

/// Writes `values` to a section in the given order; `change` is applied to each.
template <class T, class Change>
void add_in_order(SnapshotFileWriter& writer, std::string name, std::vector<T> values, const CellOrder* order,
                  Change change) {
  const std::size_t count = order == nullptr ? values.size() : order->size();
  writer.add(std::move(name), count * sizeof(T),
             [values = std::move(values), order, change = std::move(change), count](char* to) {
               for (std::size_t i = 0; i < count; ++i) {
                 const T value = change(values[order == nullptr ? i : (*order)[i]]);
                 std::memcpy(to + i * sizeof(T), &value, sizeof(T));
               }
             });
}

/// The number that a cell of a row holds, in the type that the column keeps.
template <class T>
T number_of(const CellView& cell) {
  if (const auto* time = std::get_if<Time>(&cell)) return static_cast<T>(time->time_since_epoch().count());
  if (const auto* flag = std::get_if<bool>(&cell)) return static_cast<T>(*flag);
  if (const auto* number = std::get_if<std::int32_t>(&cell)) return static_cast<T>(*number);
  if (const auto* number = std::get_if<std::int64_t>(&cell)) return static_cast<T>(*number);
  return static_cast<T>(std::get<double>(cell));
}

}  // namespace

void TextColumnBuilder::add(std::string_view text) {
  if (text.empty()) return add_code(0);
  if (text == texts_[last_code_]) return add_code(last_code_);  // neighbours often are alike
  const auto known = numbers_.find(text);
  if (known != numbers_.end()) return add_code(known->second);
  const auto code = static_cast<std::uint32_t>(texts_.size());
  texts_.emplace_back(text);
  numbers_.emplace(text, code);
  add_code(code);
}

std::size_t TextColumnBuilder::size() const {
  return std::visit([](const auto& codes) { return codes.size(); }, codes_);
}

void TextColumnBuilder::pad(std::size_t num_cells) {
  std::visit([num_cells](auto& codes) { codes.resize(std::max(codes.size(), num_cells), 0); }, codes_);
}

/// Widens the numbers when the first one comes that they cannot hold.
void TextColumnBuilder::add_code(std::uint32_t code) {
  last_code_ = code;
  if (auto* narrow = std::get_if<std::vector<std::uint8_t>>(&codes_); narrow != nullptr && code > UINT8_MAX)
    codes_ = std::vector<std::uint16_t>(narrow->begin(), narrow->end());
  if (auto* narrow = std::get_if<std::vector<std::uint16_t>>(&codes_); narrow != nullptr && code > UINT16_MAX)
    codes_ = std::vector<std::uint32_t>(narrow->begin(), narrow->end());
  std::visit(
      [code](auto& codes) {
        using Number = typename std::remove_reference_t<decltype(codes)>::value_type;
        codes.push_back(static_cast<Number>(code));
      },
      codes_);
}

void TextColumnBuilder::write(SnapshotFileWriter& writer, const std::string& name, const CellOrder* order) && {
  std::vector<std::uint32_t> by_text(texts_.size());
  std::iota(by_text.begin(), by_text.end(), 0U);
  std::ranges::sort(by_text, {}, [this](std::uint32_t code) -> std::string_view { return texts_[code]; });
  std::vector<std::uint32_t> sorted_code(by_text.size());
  std::vector<std::string> texts;
  for (const std::uint32_t code : by_text) {
    sorted_code[code] = static_cast<std::uint32_t>(texts.size());
    texts.push_back(std::move(texts_[code]));
  }
  writer.add_texts(name, texts);
  std::visit(
      [&](auto& codes) {
        using Number = typename std::remove_reference_t<decltype(codes)>::value_type;
        add_in_order(
            writer, fmt::format("{}.{}", name, codes_suffix<Number>()), std::move(codes), order,
            [sorted_code = std::move(sorted_code)](Number code) { return static_cast<Number>(sorted_code[code]); });
      },
      codes_);
}

CellColumnBuilder::CellColumnBuilder(const RowColumn& column)
    : description_(&column), values_(empty_values(column.type)) {}

CellColumnBuilder::Values CellColumnBuilder::empty_values(ColumnType type) {
  switch (type) {
    case ColumnType::Bool: return std::vector<std::int8_t>();
    case ColumnType::Int32: return std::vector<std::int32_t>();
    case ColumnType::Int64:
    case ColumnType::Timestamp: return std::vector<std::int64_t>();
    case ColumnType::Double: return std::vector<double>();
    default: return TextColumnBuilder();
  }
}

void CellColumnBuilder::pad(std::size_t num_cells) {
  std::visit(
      [&](auto& values) {
        using V = std::remove_reference_t<decltype(values)>;
        if constexpr (std::is_same_v<V, TextColumnBuilder>)
          values.pad(num_cells);
        else
          values.resize(num_cells, absent_number<typename V::value_type>());
      },
      values_);
  size_ = num_cells;
}

void CellColumnBuilder::add(const Row& row, std::size_t cell) {
  const CellView value = description_->look(row);
  if (std::holds_alternative<std::monostate>(value)) return;
  if (size_ < cell) pad(cell);
  std::visit(
      [&](auto& values) {
        using V = std::remove_reference_t<decltype(values)>;
        if constexpr (std::is_same_v<V, TextColumnBuilder>)
          values.add(std::get<std::string_view>(value));
        else
          values.push_back(number_of<typename V::value_type>(value));
      },
      values_);
  size_ = cell + 1;
}

void CellColumnBuilder::write(SnapshotFileWriter& writer, std::size_t num_cells, const CellOrder& order) && {
  if (size_ == 0) return;
  pad(num_cells);
  const std::string name = fmt::format("cell.{}", description_->name);
  std::visit(
      [&](auto& values) {
        using V = std::remove_reference_t<decltype(values)>;
        if constexpr (std::is_same_v<V, TextColumnBuilder>) {
          std::move(values).write(writer, name, &order);
        } else {
          using Number = typename V::value_type;
          add_in_order(writer, fmt::format("{}.{}", name, number_suffix<Number>()), std::move(values), &order,
                       [](Number number) { return number; });
        }
      },
      values_);
}

}  // namespace willitrun
