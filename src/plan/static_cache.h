#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "checkpoint/dtype.h"
#include "plan/config_fields.h"
#include "plan/plan_table.h"

namespace willitrun {

/// Bytes of the static cache that one core holds for `tokens` tokens and one sequence. `head_parts` is into how many
/// parts key and value heads are cut. Layers of a kind that `cache` does not have count nothing.
std::uint64_t static_cache_bytes(const std::map<std::string, std::vector<CacheTensor>>& cache, const ConfigFields& text,
                                 std::uint64_t tokens, std::uint64_t head_parts, Dtype dtype);

}  // namespace willitrun
