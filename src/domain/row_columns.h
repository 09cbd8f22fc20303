#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "domain/row.h"

namespace willitrun {

/// A cell of a row: nothing, or a value of the column's type.
using Cell = std::variant<std::monostate, bool, std::int32_t, std::int64_t, double, std::string, Time,
                          std::vector<std::int32_t>, std::vector<std::string>>;

/// The same without copies: texts and lists are those of the row.
using CellView = std::variant<std::monostate, bool, std::int32_t, std::int64_t, double, std::string_view, Time,
                              std::span<const std::int32_t>, std::span<const std::string>>;

enum class ColumnType { Bool, Int32, Int64, Double, String, Timestamp, Int32List, StringList };

/// Returns the name of a column type, in Arrow's words: `timestamp[ms, tz=UTC]`.
std::string_view type_name(ColumnType type);

/// Where a column comes from.
enum class ColumnOrigin {
  PublicDataset,  ///< One of the 24 columns of the public dataset, in its order.
  Ours,
};

/// Name, type and meaning of one field of Row, with access to it. The one description that the Parquet schema, JSON
/// answers, the data dictionary and the query language are made from.
struct RowColumn {
  std::string_view name;
  ColumnType type;
  ColumnOrigin origin;
  std::string_view meaning;  ///< One sentence for the data dictionary; units included.
  Cell (*get)(const Row&);
  CellView (*look)(const Row&);  ///< Valid as long as the row is unchanged.
  void (*set)(Row&, Cell);       ///< `cell` holds the column's type, or nothing (then the field becomes absent).
};

/// Returns all columns: the public 24 first, in their order, then ours. Adding one is adding it here and in Row.
std::span<const RowColumn> row_columns();

/// Returns the column of that name, or null. `neuron_cores` names the column `tp`.
const RowColumn* find_row_column(std::string_view name);

}  // namespace willitrun
