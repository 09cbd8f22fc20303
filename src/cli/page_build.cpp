#include "cli/page_build.h"

#include "cli/data_files.h"

namespace willitrun {

std::filesystem::path page_folder(const std::string& named) {
  if (!named.empty()) return named;
  const std::filesystem::path web = data_folder() / "web";
  std::error_code error;
  return std::filesystem::is_directory(web / "dist", error) ? web / "dist" : web;
}

}  // namespace willitrun
