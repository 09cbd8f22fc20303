#include "cli/local_model_files.h"

#include "os/file.h"

namespace willitrun {

Result<std::vector<ModelFile>> LocalModelFiles::list() {
  ASSIGN_OR_RETURN(const std::vector<std::string> names, list_folder(folder_));
  std::vector<ModelFile> files;
  for (const std::string& name : names) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(folder_ / name, error)) continue;  // folders hold other formats
    ASSIGN_OR_RETURN(const std::uint64_t size, size_of_file(folder_ / name));
    files.push_back({name, size});
  }
  return files;
}

Result<std::string> LocalModelFiles::read(const std::string& name) { return read_file(folder_ / name); }

Result<std::vector<std::string>> LocalModelFiles::read_ranges(std::span<const WeightRange> ranges) {
  std::vector<std::string> texts;
  for (const WeightRange& range : ranges) {
    ASSIGN_OR_RETURN(texts.emplace_back(), read_file_range(folder_ / range.name, range.offset, range.count));
  }
  return texts;
}

}  // namespace willitrun
