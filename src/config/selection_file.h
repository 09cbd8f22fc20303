#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "domain/exclusion.h"
#include "domain/selection_rule.h"

namespace willitrun {

/// Reads a rule of selections/. `where` names the file in messages; a key that is not known is refused.
Result<SelectionRule> parse_selection_rule(std::string_view toml, std::string_view where);

/// Reads selections/exclusions.toml: a list of [[exclusion]] with model, kind, reason, owner and, if it ends, expires
/// (a date).
Result<std::vector<Exclusion>> parse_exclusions(std::string_view toml, std::string_view where);

}  // namespace willitrun
