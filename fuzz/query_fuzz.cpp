#include <cstdint>

#include "base/check.h"
#include "lookup/query.h"

// A query that is accepted is accepted again with parentheses around it, unless it sorts, and means the same.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto query = willitrun::parse_query(text);
  if (!query) {
    CHECK(query.error().code == willitrun::Code::InvalidArgument);
    return 0;
  }
  const auto again = willitrun::parse_query(" " + text + "\n");
  if (text.size() + 2 <= willitrun::kMaxQueryBytes) CHECK(again && *again == *query);
  return 0;
}
