#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "domain/row.h"
#include "store/dataset.h"

namespace willitrun {

/// The version of our dataset format that this program writes, in the key-value metadata of each file. History:
/// docs/formats/dataset.md.
constexpr int kDatasetSchema = 1;

/// Turns rows into the bytes of a Parquet file and back.
///
/// Arrow takes 8 ms to load, which a command that reads no Parquet should not pay. So the implementation is a shared
/// library of its own (src/store/parquet/), loaded when it is first asked for.
class ParquetCodec {
 public:
  virtual ~ParquetCodec() = default;

  /// Writes all columns of all rows, in the given order. Equal rows give equal bytes.
  virtual Result<std::string> encode(const std::vector<Row>& rows, DatasetKind kind) const = 0;

  /// Reads the content of a Parquet file; see read_dataset_file. `name` stands for the file in messages and results.
  virtual Result<DatasetFile> decode(std::string_view bytes, const std::string& name) const = 0;

  /// Calls `use` with the rows of a verdict file, some thousand at a time, so that a file of any size can be gone
  /// through. Only the columns that `wanted` names are filled. A file of attempts has none.
  virtual Status visit_verdicts(std::string_view bytes, const std::string& name, const WantedColumns& wanted,
                                const UseRows& use) const = 0;

  /// Reads kind, schema and columns only, no rows.
  virtual Result<DatasetFile> describe(std::string_view bytes, const std::string& name) const = 0;
};

/// Returns the codec, loading it when it is needed for the first time. It lives as long as the program.
Result<const ParquetCodec*> parquet_codec();

}  // namespace willitrun
