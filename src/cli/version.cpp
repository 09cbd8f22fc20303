#include "cli/version.h"

#include <fmt/format.h>

namespace willitrun {

std::string version_text() {
  return fmt::format("willitrun {}\nApache-2.0\nbuilt with {} {}, {}", WILLITRUN_VERSION, WILLITRUN_COMPILER,
                     __VERSION__, WILLITRUN_BUILD_TYPE);
}

std::string program_version() { return WILLITRUN_VERSION; }

}  // namespace willitrun
