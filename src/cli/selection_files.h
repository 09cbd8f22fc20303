#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "domain/exclusion.h"
#include "domain/selection_rule.h"

namespace willitrun {

/// A rule with the exclusions that go with it.
struct SelectionFiles {
  SelectionRule rule;
  std::vector<Exclusion> exclusions;
};

/// Reads selections/exclusions.toml and a rule: a path, or the name of a file in selections/ without its ending.
Result<SelectionFiles> load_selection_files(std::string_view rule = "selected");

}  // namespace willitrun
