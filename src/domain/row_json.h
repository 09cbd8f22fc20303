#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "domain/row.h"
#include "domain/row_columns.h"

namespace boost::json {
class value;
}

namespace willitrun {

/// A cell as JSON: times as text, null for an absent one and for a number that JSON cannot write.
boost::json::value to_json(const Cell& cell);

/// Writes the present fields of a row as one JSON object on one line, in the order of row_columns(). Absent fields are
/// left out. Both names of the core column are written: `tp` and `neuron_cores`.
std::string to_json(const Row& row);

/// Reads what to_json writes. Corruption names the field whose type is wrong; unknown fields are ignored.
Result<Row> row_from_json(std::string_view json);

}  // namespace willitrun
