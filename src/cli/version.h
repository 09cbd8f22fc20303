#pragma once

#include <string>

namespace willitrun {

/// Version, licence and build facts, as `--version` prints them.
std::string version_text();

}  // namespace willitrun
