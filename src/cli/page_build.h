#pragma once

#include <filesystem>
#include <string>

namespace willitrun {

/// The folder that holds the built page: `named` unless empty, else `web` of the installed data files, else `web/dist`
/// of the source tree. It need not be there.
std::filesystem::path page_folder(const std::string& named);

}  // namespace willitrun
