#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "domain/row_columns.h"

namespace arrow {
class Array;
class DataType;
}  // namespace arrow

namespace willitrun {

/// Tells whether Arrow's type holds what a column of ours holds. Several types of text, and times of any precision, do;
/// numbers must have the very type. A column of nulls alone fits everything.
bool fits(ColumnType type, const arrow::DataType& arrow_type);

/// Reads one value whose type fits. InvalidArgument: a time is not in whole milliseconds.
Result<Cell> cell_at(const arrow::Array& array, std::int64_t index, ColumnType type);

/// Writes one value of any type as JSON, numbers with all their digits; what JSON cannot hold as a text in Arrow's
/// words.
std::string json_at(const arrow::Array& array, std::int64_t index);

}  // namespace willitrun
