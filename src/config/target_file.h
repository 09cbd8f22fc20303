#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "domain/target.h"

namespace willitrun {

/// Gives the value of a variable that a target file may name as `${NAME}`; an empty text when it is not set.
using VariableLookup = std::function<std::string(std::string_view name)>;

/// Reads a target description. `where` names the file in messages. Every key is known or refused, so that a misspelt
/// one is never silently ignored. Interpreters whose variable is not set keep an empty path: the target can plan, but
/// not run.
Result<Target> parse_target(std::string_view toml, std::string_view where, const VariableLookup& variable);

}  // namespace willitrun
