#pragma once

#include <filesystem>
#include <optional>

#include "base/result.h"
#include "os/file_descriptor.h"

namespace willitrun {

/// Holds an exclusive lock on a file between processes (flock); the kernel lets go of it when the holder dies.
class FileLock {
 public:
  /// Waits until the lock is free. Makes the file when it is missing.
  static Result<FileLock> acquire(const std::filesystem::path& path);

  /// Returns nothing when another process holds the lock.
  static Result<std::optional<FileLock>> try_acquire(const std::filesystem::path& path);

 private:
  explicit FileLock(FileDescriptor file) : file_(std::move(file)) {}

  FileDescriptor file_;
};

}  // namespace willitrun
