#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "store/parquet_codec.h"

// Any bytes, taken for a Parquet file: both ways of reading give an error or the same number of rows.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace willitrun;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto codec = parquet_codec();
  CHECK(codec);
  const auto file = (*codec)->decode(bytes, "fuzz");
  std::size_t num_visited = 0;
  const auto visited = (*codec)->visit_verdicts(
      bytes, "fuzz", [](const RowColumn&) { return true; },
      [&](std::vector<Row>& rows) -> Status {
        num_visited += rows.size();
        return {};
      });
  if (file && visited && file->kind == DatasetKind::Verdicts) CHECK(num_visited == file->rows.size());
  return 0;
}
