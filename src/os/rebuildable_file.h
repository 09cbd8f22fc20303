#pragma once

#include <filesystem>
#include <string_view>

#include "base/result.h"

namespace willitrun {

/// Replaces a file like write_file_atomically, but without waiting for the disk: for the many files that are made from
/// something else and can be made again. A reader sees the old or the new content; after a power cut the file may be
/// empty or missing.
Status write_rebuildable_file(const std::filesystem::path& path, std::string_view content);

}  // namespace willitrun
