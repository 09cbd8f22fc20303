#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>
#include <variant>

#include "domain/row_columns.h"

namespace willitrun {

/// Texts by number, one behind the other.
class TextList {
 public:
  TextList() = default;
  /// Text i is bytes [starts[i], starts[i + 1]); `starts` has one number more than there are texts.
  TextList(std::string_view bytes, std::span<const std::uint64_t> starts) : bytes_(bytes), starts_(starts) {}

  std::size_t size() const { return starts_.empty() ? 0 : starts_.size() - 1; }
  std::string_view operator[](std::size_t i) const {
    return {bytes_.data() + starts_[i], static_cast<std::size_t>(starts_[i + 1] - starts_[i])};
  }

 private:
  std::string_view bytes_;
  std::span<const std::uint64_t> starts_;
};

/// A column of texts: each different text once, and per cell its number. Number 0 is no text; the others follow the
/// order of their bytes.
class TextColumn {
 public:
  using Codes =
      std::variant<std::span<const std::uint8_t>, std::span<const std::uint16_t>, std::span<const std::uint32_t>>;

  TextColumn() = default;
  TextColumn(TextList texts, Codes codes) : texts_(texts), codes_(codes) {}

  std::size_t size() const {
    return std::visit([](const auto& codes) { return codes.size(); }, codes_);
  }
  std::uint32_t code(std::size_t cell) const {
    return std::visit([cell](const auto& codes) { return static_cast<std::uint32_t>(codes[cell]); }, codes_);
  }
  std::string_view text(std::size_t cell) const { return texts_[code(cell)]; }

  /// All texts by number; the first is the absent one.
  const TextList& texts() const { return texts_; }

  /// The number of a text, or 0 when no cell has it.
  std::uint32_t code_of(std::string_view text) const;

  /// Calls visit(codes) with the 8-, 16- or 32-bit numbers.
  template <class Visit>
  auto visit_codes(Visit visit) const {
    return std::visit(visit, codes_);
  }

 private:
  TextList texts_;
  Codes codes_;
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
  using Values = std::variant<TextColumn, std::span<const std::int8_t>, std::span<const std::int32_t>,
                              std::span<const std::int64_t>, std::span<const double>>;

  /// A column that no cell has a value in.
  explicit CellColumn(const RowColumn& column) : description_(&column) {}
  CellColumn(const RowColumn& column, Values values) : description_(&column), values_(values), is_empty_(false) {}

  const RowColumn& description() const { return *description_; }

  /// True when no cell has a value; then values() say nothing.
  bool is_empty() const { return is_empty_; }

  const Values& values() const { return values_; }

  /// The value of one cell, in the column's own type.
  Cell get(std::size_t cell) const;

 private:
  const RowColumn* description_;
  Values values_;
  bool is_empty_ = true;
};

/// Tells whether a snapshot keeps the column: everything that a view shows or a query asks for. Long texts and what is
/// different in every row (scripts, tokens, digests) stay in the store.
bool is_kept_in_snapshot(const RowColumn& column);

}  // namespace willitrun
