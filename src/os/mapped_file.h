#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>

#include "base/result.h"

namespace willitrun {

/// A whole file mapped for reading: opening it reads nothing, and pages come from disk as they are looked at.
///
/// The mapping stays valid when another process replaces the file by renaming a new one over it (the old content is
/// kept until the last mapping goes). A file that is cut shorter in place while it is mapped ends the program with
/// SIGBUS: map only files that are written by write_file_atomically.
class MappedFile {
 public:
  /// Maps a file. NotFound when it is not there. An empty file gives empty bytes.
  static Result<MappedFile> open(const std::filesystem::path& path);

  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  /// The file's content. Valid as long as this object lives.
  std::string_view bytes() const { return {static_cast<const char*>(address_), size_}; }

 private:
  MappedFile(void* address, std::size_t size) : address_(address), size_(size) {}

  void* address_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace willitrun
