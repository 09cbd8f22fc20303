#include <cstdint>

#include "base/check.h"
#include "hub/files_to_fetch.h"

// The shard names of a weight index: they become paths, so each must be safe.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace willitrun;
  if (const auto shards = shards_of_index({reinterpret_cast<const char*>(data), size}))
    for (const std::string& shard : *shards) CHECK(is_safe_path(shard));
  return 0;
}
