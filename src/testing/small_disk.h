#pragma once

#include <cstdint>
#include <filesystem>

namespace willitrun {

/// Puts an empty disk (tmpfs) of `size_bytes` on the folder, seen by the calling process alone. For child processes of
/// tests: there is no way back. Returns false when this machine does not allow it.
bool mount_small_disk(const std::filesystem::path& folder, std::uint64_t size_bytes);

/// Exit status by which such a child process says so, and its test is skipped.
inline constexpr int kNoSmallDisk = 77;

}  // namespace willitrun
