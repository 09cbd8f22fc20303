#pragma once

#include <cstdint>

namespace willitrun {

/// Raises this process's limit of open files as far as it may (RLIMIT_NOFILE, soft to hard) and returns it.
std::uint64_t raise_open_file_limit();

}  // namespace willitrun
