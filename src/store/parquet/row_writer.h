#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "domain/row.h"
#include "store/dataset.h"

namespace willitrun {

/// Writes rows as a Parquet file (docs/formats/dataset.md). May throw what Arrow throws.
Result<std::string> write_rows(const std::vector<Row>& rows, DatasetKind kind);

}  // namespace willitrun
