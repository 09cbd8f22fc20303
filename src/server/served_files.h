#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "os/mapped_file.h"

namespace willitrun {

/// A file as it is sent.
struct ServedFile {
  std::shared_ptr<const MappedFile> content;
  std::shared_ptr<const MappedFile> gzip;  ///< The same, compressed by the build (`x.gz` beside `x`); null without.
  std::string_view content_type;
  std::string sha256;
};

/// The files of a folder, mapped, by their paths below it with `/` between the parts. Only what was there when it was
/// read can be asked for, so no path leads out of the folder. Immutable: any number of threads may look.
class ServedFiles {
 public:
  ServedFiles() = default;

  /// Reads a folder and its sub-folders. A folder that is not there has no files.
  static Result<std::shared_ptr<const ServedFiles>> read(const std::filesystem::path& folder);

  const ServedFile* find(std::string_view path) const;
  const std::map<std::string, ServedFile, std::less<>>& all() const { return files_; }

 private:
  std::map<std::string, ServedFile, std::less<>> files_;
};

/// Returns the media type of a file by its ending; bytes without meaning for an unknown one.
std::string_view content_type_of(std::string_view path);

}  // namespace willitrun
