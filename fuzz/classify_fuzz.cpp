#include "verify/classify.h"

#include <cstdint>

#include "base/check.h"
#include "base/text.h"

// Every log has a class of the vocabulary, and texts that people and JSON can read.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto failure = willitrun::classify({.log = {reinterpret_cast<const char*>(data), size}});
  CHECK(willitrun::find_failure_class(failure.kind.name));
  CHECK(failure.signature.starts_with(failure.kind.name));
  CHECK(willitrun::is_utf8(failure.signature));
  CHECK(willitrun::is_utf8(failure.message));
  return 0;
}
