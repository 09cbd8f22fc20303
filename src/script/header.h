#pragma once

#include <string>

#include "script/script.h"

namespace willitrun {

/// Returns the lines of the script's docstring that say what it was made for: model, plan, stack, packages to install
/// on top of the Neuron stack, and where compiled graphs can be had. Without a newline at the end.
std::string render_header(const ScriptInput& input);

}  // namespace willitrun
