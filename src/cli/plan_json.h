#pragma once

#include <string>

#include "domain/plan.h"

namespace willitrun {

/// Writes a plan as `plan --json` prints it (docs/cli.md), without a line break at the end.
std::string plan_to_json(const Plan& plan);

}  // namespace willitrun
