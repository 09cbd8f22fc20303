#include <cstdint>

#include "base/check.h"
#include "config/target_file.h"

// A target that is accepted can be planned for: it has core counts and memory.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto target = willitrun::parse_target({reinterpret_cast<const char*>(data), size}, "fuzz.toml",
                                              [](std::string_view) { return std::string("value"); });
  if (target) CHECK(!target->core_counts.empty() && target->core_memory_bytes > 0);
  return 0;
}
