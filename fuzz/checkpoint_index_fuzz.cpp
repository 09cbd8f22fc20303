#include <cstdint>
#include <string>

#include "base/check.h"
#include "checkpoint/weight_index.h"

// Every file that an accepted index names lies inside the model's folder, and every entry names one of them.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace willitrun;
  const auto index = parse_weight_index(std::string(reinterpret_cast<const char*>(data), size));
  if (!index) return 0;
  for (const std::string& file : index->files) CHECK(stays_inside(file));
  for (const IndexEntry& entry : index->entries) CHECK(entry.file < index->files.size());
  return 0;
}
