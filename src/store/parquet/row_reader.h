#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "store/dataset.h"

namespace willitrun {

/// Reads a Parquet file of the public dataset or of ours; kind, schema and columns alone unless `with_rows`. May throw
/// what Arrow throws.
Result<DatasetFile> read_rows(std::string_view bytes, const std::string& name, bool with_rows);

/// ParquetCodec::visit_verdicts. May throw what Arrow throws.
Status visit_verdict_rows(std::string_view bytes, const std::string& name, const WantedColumns& wanted,
                          const UseRows& use);

}  // namespace willitrun
