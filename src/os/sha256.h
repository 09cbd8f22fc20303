#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace willitrun {

/// SHA-256 of `bytes` as 64 hexadecimal digits.
std::string sha256_hex(std::string_view bytes);

/// SHA-256 of a file's content, read in pieces.
Result<std::string> sha256_file(const std::filesystem::path& path);

}  // namespace willitrun
