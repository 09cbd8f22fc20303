#pragma once

#include <filesystem>
#include <optional>

#include "base/result.h"
#include "os/file_descriptor.h"

namespace willitrun {

/// Holds a lock on a file between processes (flock); the kernel lets go of it when the holder dies.
class FileLock {
 public:
  /// Waits until nobody holds the lock, then is its only holder. Makes the file when it is missing.
  static Result<FileLock> acquire(const std::filesystem::path& path);

  /// Waits until no exclusive holder is left; any number may share.
  static Result<FileLock> acquire_shared(const std::filesystem::path& path);

  /// Takes the lock exclusively; returns nothing when it is held.
  static Result<std::optional<FileLock>> try_acquire(const std::filesystem::path& path);

 private:
  explicit FileLock(FileDescriptor file) : file_(std::move(file)) {}

  FileDescriptor file_;
};

}  // namespace willitrun
