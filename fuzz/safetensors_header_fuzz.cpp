#include <cstdint>
#include <string>

#include "base/check.h"
#include "checkpoint/header.h"

// A header that is accepted describes tensors that lie inside the data and cover it.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace willitrun;
  if (size < 2) return 0;
  const std::uint64_t data_bytes = data[0] | std::uint64_t{data[1]} << 8;
  std::string text(reinterpret_cast<const char*>(data) + 2, size - 2);
  const std::uint64_t file_size = kLengthBytes + text.size() + data_bytes;
  const auto header = parse_header(std::move(text), file_size);
  if (!header) return 0;
  std::uint64_t covered = 0;
  for (const TensorInfo& tensor : header->tensors) {
    CHECK(tensor.begin <= tensor.end && tensor.end <= data_bytes);
    covered += tensor.size_bytes();
  }
  CHECK(covered == data_bytes);
  return 0;
}
