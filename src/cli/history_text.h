#pragma once

#include <string>
#include <vector>

#include "lookup/stack_lines.h"

namespace willitrun {

/// Writes a line's history for people: what it comes to ("works since ...", "last good ..., first bad ..."), then one
/// line per transition.
std::string history_text(const StackLine& line);

}  // namespace willitrun
