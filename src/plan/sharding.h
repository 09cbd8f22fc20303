#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "domain/plan.h"
#include "plan/loading.h"
#include "plan/model_layout.h"
#include "plan/plan_table.h"

namespace willitrun {

/// The rules that one form of parallelism follows: expert rules take their modules away from the tensor rules.
struct ShardingRules {
  std::map<std::string, PlanRule, std::less<>> tp, ep;
};

/// The rules of a mode; nothing when the version does not offer the mode for this model.
std::optional<ShardingRules> rules_of(Mode mode, const PlanTable& table, const ModelLayout& layout);

/// Parameter bytes of the fullest core when the model is spread over `cores`.
std::uint64_t bytes_per_core(const LoadedModel& model, const ShardingRules& rules, const PlanTable& table, int cores);

/// Why the model cannot be cut into `cores` parts; nothing when it can.
std::optional<PlanNote> indivisible(const LoadedModel& model, const ModelLayout& layout, const ShardingRules& rules,
                                    const PlanTable& table, int cores);

/// Tells whether the rules cut the heads of the static cache.
bool cuts_cache_heads(const ShardingRules& rules, const PlanTable& table);

}  // namespace willitrun
