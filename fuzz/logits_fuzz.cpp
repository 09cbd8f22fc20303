#include "verify/logits.h"

#include <cstdint>

#include "base/check.h"

// What is accepted has as many numbers as its shape says.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto logits = willitrun::parse_logits({reinterpret_cast<const char*>(data), size});
  if (!logits) return 0;
  CHECK(logits->values.size() == logits->steps * logits->vocabulary);
  if (const auto best = willitrun::top_two(logits->row(logits->steps - 1))) CHECK(best->best != best->second);
  return 0;
}
