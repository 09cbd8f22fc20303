#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "domain/row_columns.h"

namespace willitrun {

/// A column of texts: each different text once, and per cell its number. Number 0 is no text.
class TextColumn {
 public:
  TextColumn() : texts_(1) {}

  void add(std::string_view text);
  void add_absent();

  std::size_t size() const;
  std::uint32_t code(std::size_t cell) const {
    return std::visit([cell](const auto& codes) { return static_cast<std::uint32_t>(codes[cell]); }, codes_);
  }
  std::string_view text(std::size_t cell) const { return texts_[code(cell)]; }

  /// All texts by number; the first is the absent one.
  const std::vector<std::string>& texts() const { return texts_; }

  /// The number of a text, or 0 when no cell has it.
  std::uint32_t code_of(std::string_view text) const;

  /// Calls visit(codes) with the vector of 8-, 16- or 32-bit numbers.
  template <class Visit>
  auto visit_codes(Visit visit) const {
    return std::visit(visit, codes_);
  }

  /// Puts cell `order[i]` at place i, for every i. Nothing can be added after that.
  void reorder(const std::vector<std::uint32_t>& order);

 private:
  void add_code(std::uint32_t code);

  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };

  std::vector<std::string> texts_;
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> numbers_;
  std::variant<std::vector<std::uint8_t>, std::vector<std::uint16_t>, std::vector<std::uint32_t>> codes_;
};

/// The value that stands for "absent" in a column of numbers.
template <class T>
constexpr T absent_number() {
  if constexpr (std::is_floating_point_v<T>) return std::numeric_limits<T>::quiet_NaN();
  return std::numeric_limits<T>::min();
}

/// Tells whether a number of a column is there. NaN is never a figure.
template <class T>
constexpr bool is_present(T number) {
  if constexpr (std::is_floating_point_v<T>) return number == number;
  return number != absent_number<T>();
}

/// A column of rows in compact form. Bool is kept as 0 or 1 in 8 bits, Timestamp as milliseconds since 1970. A column
/// that no row has keeps nothing.
class CellColumn {
 public:
  using Values = std::variant<TextColumn, std::vector<std::int8_t>, std::vector<std::int32_t>,
                              std::vector<std::int64_t>, std::vector<double>>;

  explicit CellColumn(const RowColumn& column);

  const RowColumn& description() const { return *description_; }

  /// Adds the row's value as cell number `cell`, which is the next one.
  void add(const Row& row, std::size_t cell);

  /// True when no cell has a value; then values() are empty.
  bool is_empty() const { return size_ == 0; }

  const Values& values() const { return values_; }

  /// The value of one cell, in the column's own type.
  Cell get(std::size_t cell) const;

  /// Fills up to `num_cells` and puts cell `order[i]` at place i.
  void finish(std::size_t num_cells, const std::vector<std::uint32_t>& order);

 private:
  void pad(std::size_t num_cells);

  const RowColumn* description_;
  Values values_;
  std::size_t size_ = 0;  // cells that have been written; fewer than the rows while the last ones had no value
};

/// Tells whether a snapshot keeps the column: everything that a view shows or a query asks for. Long texts and what is
/// different in every row (scripts, tokens, digests) stay in the store.
bool is_kept_in_snapshot(const RowColumn& column);

}  // namespace willitrun
