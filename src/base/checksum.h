#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace willitrun {

/// A checksum against damage by accident: 64-bit FNV-1a over eight bytes at a time, the last ones padded with zeros.
/// Part of the formats that say so (docs/formats/), about 4 GB/s.
inline std::uint64_t checksum(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  while (!bytes.empty()) {
    std::uint64_t word = 0;
    const std::size_t count = bytes.size() < 8 ? bytes.size() : 8;
    std::memcpy(&word, bytes.data(), count);
    hash = (hash ^ word) * 0x100000001b3U;
    hash ^= hash >> 29;  // FNV alone never lets high bits reach low ones.
    bytes.remove_prefix(count);
  }
  return hash;
}

}  // namespace willitrun
