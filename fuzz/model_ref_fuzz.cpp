#include <cstdint>

#include "base/check.h"
#include "domain/model_ref.h"

// A reference that is accepted reads back as itself.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto ref = willitrun::parse_model_ref({reinterpret_cast<const char*>(data), size});
  if (ref) CHECK(willitrun::parse_model_ref(willitrun::to_text(*ref)) == *ref);
  return 0;
}
