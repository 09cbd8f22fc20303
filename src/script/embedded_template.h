#pragma once

#include <string_view>

namespace willitrun {

/// The text of run.py.in, built into the program.
extern const std::string_view kRunPyTemplate;

}  // namespace willitrun
