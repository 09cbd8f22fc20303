#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "domain/row_columns.h"
#include "lookup/column.h"
#include "lookup/snapshot_file.h"

namespace willitrun {

/// Where cells go: place i holds what came as number order[i].
using CellOrder = std::vector<std::uint32_t>;

/// Collects the cells of a TextColumn.
class TextColumnBuilder {
 public:
  TextColumnBuilder() : texts_(1) {}

  /// Adds a cell; an empty text is an absent one.
  void add(std::string_view text);

  std::size_t size() const;

  /// Adds absent cells until there are `num_cells`.
  void pad(std::size_t num_cells);

  /// Writes the sections `<name>.texts`, `<name>.starts` and `<name>.codes8`, `.codes16` or `.codes32`. `order` must
  /// outlive the writer; null keeps the order.
  void write(SnapshotFileWriter& writer, const std::string& name, const CellOrder* order) &&;

 private:
  void add_code(std::uint32_t code);

  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };

  std::vector<std::string> texts_;
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> numbers_;
  std::uint32_t last_code_ = 0;
  std::variant<std::vector<std::uint8_t>, std::vector<std::uint16_t>, std::vector<std::uint32_t>> codes_;
};

/// Collects the cells of a CellColumn.
class CellColumnBuilder {
 public:
  explicit CellColumnBuilder(const RowColumn& column);

  /// Adds the row's value as cell number `cell`. Numbers rise; cells that are left out are absent.
  void add(const Row& row, std::size_t cell);

  /// Writes the column's sections under the name `cell.<column>`, unless it is empty.
  void write(SnapshotFileWriter& writer, std::size_t num_cells, const CellOrder& order) &&;

 private:
  using Values = std::variant<TextColumnBuilder, std::vector<std::int8_t>, std::vector<std::int32_t>,
                              std::vector<std::int64_t>, std::vector<double>>;

  static Values empty_values(ColumnType type);
  void pad(std::size_t num_cells);

  const RowColumn* description_;
  Values values_;
  std::size_t size_ = 0;  // cells that have been written; fewer than the rows while the last ones had no value
};

/// The end of the name of a section that holds numbers of this type: `i32`.
template <class T>
constexpr std::string_view number_suffix() {
  if constexpr (std::is_same_v<T, std::int8_t>) return "i8";
  if constexpr (std::is_same_v<T, std::int32_t>) return "i32";
  if constexpr (std::is_same_v<T, std::int64_t>) return "i64";
  return "f64";
}

/// The end of the name of a section that holds numbers of texts: `codes16`.
template <class Code>
constexpr std::string_view codes_suffix() {
  if constexpr (sizeof(Code) == 1) return "codes8";
  if constexpr (sizeof(Code) == 2) return "codes16";
  return "codes32";
}

}  // namespace willitrun
