#pragma once

#include <string>
#include <vector>

#include "lookup/stack_lines.h"

namespace willitrun {

/// Writes a line's history for people: what it comes to ("works since ...", "last good ..., first bad ..."), then one
/// line per transition.
std::string history_text(const StackLine& line);

/// Writes histories of a target as a JSON array, one object per line of stacks.
std::string history_json(const std::string& target, const std::vector<StackLine>& lines);

}  // namespace willitrun
