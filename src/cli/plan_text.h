#pragma once

#include <string>

#include "domain/plan.h"

namespace willitrun {

/// Writes a plan for people: the answer in words, a table of core counts with a bar for used/capacity, what was counted
/// and assumed, notes, and what to do next.
std::string plan_text(const Plan& plan);

}  // namespace willitrun
