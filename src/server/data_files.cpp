#include "server/data_files.h"

#include <algorithm>

#include "base/text.h"

namespace willitrun {

std::vector<DataFile> data_files(const ServedFiles& folder) {
  std::vector<DataFile> files;
  for (const auto& [path, served] : folder.all()) {
    if (!path.ends_with(".parquet")) continue;
    const auto parts = split(path, '/');
    const bool is_attempts = parts.size() == 3 && parts[0] == "attempts";
    if (parts.size() != 2 && !is_attempts) continue;
    const std::string target(parts[parts.size() - 2]);
    files.push_back({"data/" + path, target, is_attempts ? "attempts" : "verdicts", &served});
  }
  std::ranges::stable_sort(files, {}, [](const DataFile& file) { return file.kind != "verdicts"; });
  return files;
}

}  // namespace willitrun
