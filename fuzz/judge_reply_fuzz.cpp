#include <cstdint>

#include "verify/fluency.h"

// Any line is read or refused, and what is read can be decided upon.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto reply = willitrun::decode_judge_reply({reinterpret_cast<const char*>(data), size});
  if (reply) willitrun::decide_fluency(reply->figures);
  return 0;
}
