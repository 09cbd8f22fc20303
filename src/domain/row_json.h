#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "domain/row.h"

namespace willitrun {

/// Writes the present fields of a row as one JSON object on one line, in the order of row_columns(). Absent fields are
/// left out. Both names of the core column are written: `tp` and `neuron_cores`.
std::string to_json(const Row& row);

/// Reads what to_json writes. Corruption names the field whose type is wrong; unknown fields are ignored.
Result<Row> row_from_json(std::string_view json);

}  // namespace willitrun
