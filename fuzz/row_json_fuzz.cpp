#include <cstdint>

#include "base/check.h"
#include "domain/row_json.h"

// A row that is accepted is written in a form that reads back the same.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto row = willitrun::row_from_json({reinterpret_cast<const char*>(data), size});
  if (row) CHECK(willitrun::row_from_json(willitrun::to_json(*row)) == *row);
  return 0;
}
