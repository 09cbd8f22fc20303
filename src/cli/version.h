#pragma once

#include <string>

namespace willitrun {

/// Version, licence and build facts, as `--version` prints them.
std::string version_text();

/// The version alone: `0.1.0`.
std::string program_version();

}  // namespace willitrun
