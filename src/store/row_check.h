#pragma once

#include <string>
#include <vector>

#include "base/time.h"
#include "domain/row.h"

namespace willitrun {

/// Returns what cannot be true about a row, one sentence each: `column 'wall_s' is negative: -3`. Words of our
/// vocabulary are checked only for rows of ours (`ours`); other systems have their own.
std::vector<std::string> impossible_values(const Row& row, bool ours, Time now);

}  // namespace willitrun
