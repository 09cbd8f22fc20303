#pragma once

#include <filesystem>
#include <string_view>

#include "base/result.h"
#include "os/file_descriptor.h"

namespace willitrun {

/// A file under a temporary name beside the one that it is to become: `.<name>.<16 hex digits>.tmp`.
///
/// It is locked as long as its writer lives. The kernel drops the lock when the writer dies, on whatever host or in
/// whatever container that shares the folder; then anybody may remove the file.
class TemporaryFile {
 public:
  /// Creates the file; its folder exists.
  static Result<TemporaryFile> create_beside(const std::filesystem::path& path);

  TemporaryFile(TemporaryFile&& other) noexcept;
  TemporaryFile& operator=(TemporaryFile&&) = delete;

  /// Removes the file, unless it has got its name.
  ~TemporaryFile();

  /// Writes all bytes to the disk itself.
  Status write_and_sync(std::string_view content);

  /// Writes all bytes without waiting for the disk.
  Status write(std::string_view content);

  /// Gives the file its name, in place of what had it: fsync of the folder included.
  Status rename_to(const std::filesystem::path& path);

  /// The same without waiting for the disk.
  Status rename_soon(const std::filesystem::path& path);

 private:
  TemporaryFile(std::filesystem::path path, FileDescriptor file) : path_(std::move(path)), file_(std::move(file)) {}

  std::filesystem::path path_;  ///< Empty once it has got its name.
  FileDescriptor file_;
};

/// Removes temporary files for `path` whose writers were killed.
void remove_abandoned_temporaries(const std::filesystem::path& path);

/// The same for all files anywhere below a folder.
void remove_abandoned_temporaries_below(const std::filesystem::path& folder);

}  // namespace willitrun
