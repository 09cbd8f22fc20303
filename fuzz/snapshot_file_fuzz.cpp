#include <cstdint>
#include <cstring>
#include <memory>
#include <string>

#include "base/checksum.h"
#include "lookup/snapshot.h"
#include "lookup/snapshot_file.h"

// Any bytes, taken for a snapshot file: refused or opened, never read outside. The header's length and checksum are
// made right first, so that what lies behind them is reached.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace willitrun;
  constexpr std::size_t kLengthAt = 16, kChecksumAt = 104;
  const auto bytes = std::make_shared<std::string>(reinterpret_cast<const char*>(data), size);
  if (size >= kChecksumAt + 8) {
    const std::uint64_t length = size;
    std::memcpy(bytes->data() + kLengthAt, &length, sizeof(length));
    const std::uint64_t sum = checksum(std::string_view(*bytes).substr(0, kChecksumAt));
    std::memcpy(bytes->data() + kChecksumAt, &sum, sizeof(sum));
  }
  const auto file = SnapshotFileReader::open(*bytes);
  if (file) (void)file->verify();
  (void)LookupSnapshot::open(bytes, *bytes);
  return 0;
}
