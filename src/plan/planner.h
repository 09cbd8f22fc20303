#pragma once

#include <string>

#include "checkpoint/checkpoint.h"
#include "domain/plan.h"
#include "domain/target.h"
#include "plan/plan_table.h"

namespace willitrun {

/// What is asked about a model, beside its files.
struct PlanRequest {
  std::string id;         ///< Hub id, or the folder's path.
  std::string revision;   ///< Empty for a folder.
  int prompt_tokens = 0;  ///< 0: the default of the task (64; 1,024 for image-text-to-text).
  int new_tokens = 32;
};

/// Decides how a model fits on a target: the fewest cores over all forms that the Transformers version offers, and at
/// equal cores tensor parallel before both before expert parallel; or the reason why none. Pure.
Plan make_plan(const Checkpoint& checkpoint, const PlanTable& table, const Target& target, const PlanRequest& request);

/// The plan of a model whose files are wrong (`status` Invalid) or could not be had (Unavailable).
Plan make_failed_plan(PlanStatus status, PlanNote reason, const PlanTable& table, const Target& target,
                      const PlanRequest& request);

}  // namespace willitrun
