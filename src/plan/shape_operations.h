#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "plan/plan_table.h"

namespace willitrun {

using Shape = std::vector<std::uint64_t>;

/// What a converter collected for one target: for each of its sources the shapes that came in.
using Collected = std::map<int, std::vector<Shape>>;

/// The shapes that come out of a converter: one, or one per target.
std::vector<Shape> apply_operations(const Transform& transform, const Collected& collected);

}  // namespace willitrun
