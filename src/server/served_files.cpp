#include "server/served_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <system_error>
#include <vector>

#include "os/sha256.h"

namespace willitrun {
namespace {

namespace fs = std::filesystem;

struct MediaType {
  std::string_view ending;
  std::string_view type;
};

constexpr auto kMediaTypes = std::to_array<MediaType>({{".html", "text/html; charset=utf-8"},
                                                       {".js", "text/javascript; charset=utf-8"},
                                                       {".mjs", "text/javascript; charset=utf-8"},
                                                       {".css", "text/css; charset=utf-8"},
                                                       {".json", "application/json"},
                                                       {".webmanifest", "application/manifest+json"},
                                                       {".map", "application/json"},
                                                       {".svg", "image/svg+xml"},
                                                       {".png", "image/png"},
                                                       {".ico", "image/x-icon"},
                                                       {".woff2", "font/woff2"},
                                                       {".wasm", "application/wasm"},
                                                       {".txt", "text/plain; charset=utf-8"},
                                                       {".md", "text/markdown; charset=utf-8"},
                                                       {".py", "text/x-python; charset=utf-8"},
                                                       {".atom", "application/atom+xml"},
                                                       {".parquet", "application/vnd.apache.parquet"}});

Result<std::shared_ptr<const MappedFile>> map_file(const fs::path& path) {
  ASSIGN_OR_RETURN(MappedFile file, MappedFile::open(path));
  return std::make_shared<const MappedFile>(std::move(file));
}

/// Paths of all regular files below a folder.
Result<std::vector<fs::path>> files_below(const fs::path& folder) {
  std::vector<fs::path> paths;
  std::error_code error;
  if (!fs::is_directory(folder, error)) return paths;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (entry->is_regular_file(error)) paths.push_back(entry->path());
  if (error) return fail(Code::Io, fmt::format("cannot read '{}': {}", folder.string(), error.message()));
  std::ranges::sort(paths);
  return paths;
}

}  // namespace

std::string_view content_type_of(std::string_view path) {
  const auto found =
      std::ranges::find_if(kMediaTypes, [&](const MediaType& type) { return path.ends_with(type.ending); });
  return found == kMediaTypes.end() ? "application/octet-stream" : found->type;
}

Result<std::shared_ptr<const ServedFiles>> ServedFiles::read(const fs::path& folder) {
  auto files = std::make_shared<ServedFiles>();
  ASSIGN_OR_RETURN(const auto paths, files_below(folder));
  for (const fs::path& path : paths) {
    const std::string name = path.lexically_relative(folder).generic_string();
    if (name.ends_with(".gz")) continue;
    ServedFile file;
    ASSIGN_OR_RETURN(file.content, map_file(path));
    file.content_type = content_type_of(name);
    file.sha256 = sha256_hex(file.content->bytes());
    const fs::path compressed = path.string() + ".gz";
    if (std::ranges::binary_search(paths, compressed)) {
      ASSIGN_OR_RETURN(file.gzip, map_file(compressed));
    }
    files->files_.emplace(name, std::move(file));
  }
  return files;
}

const ServedFile* ServedFiles::find(std::string_view path) const {
  const auto found = files_.find(path);
  return found == files_.end() ? nullptr : &found->second;
}

}  // namespace willitrun
