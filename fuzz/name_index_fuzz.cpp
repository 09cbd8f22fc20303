#include <cstdint>
#include <string>
#include <vector>

#include "base/check.h"
#include "base/text.h"
#include "search/name_index.h"
#include "search/name_index_builder.h"

// The first line is a query, the others are names: every kernel finds in the index what the definition says.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace willitrun;
  auto names = split({reinterpret_cast<const char*>(data), size}, '\n');
  const auto query = parse_name_query(names.front());
  names.erase(names.begin());
  if (!query) return 0;
  const auto bytes = build_name_index(names);
  CHECK(bytes);
  std::vector<std::uint32_t> expected;
  for (std::uint32_t i = 0; i < names.size(); ++i)
    if (matches(*query, names[i])) expected.push_back(i);
  for (const Kernel& kernel : usable_kernels()) {
    const auto index = NameIndex::open(*bytes, kernel);
    CHECK(index && index->verify());
    CHECK(index->find(*query, 0, names.size()).names == expected);
    CHECK(index->count(*query).count == expected.size());
  }
  return 0;
}
