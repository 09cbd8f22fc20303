#pragma once

#include <string>

#include "domain/plan.h"
#include "lab/attempt.h"
#include "lab/found_model.h"
#include "plan/planner.h"

namespace willitrun {

// The steps of an attempt that need no device and change nothing: shared with those who only want to know whether
// anything has changed.

/// Reads configuration and headers, nothing more, and plans the model. What is wrong with the files, or why they could
/// not be read, is the plan's reason.
Plan plan_files(ModelFiles& files, const PlanTable& table, const Target& target, const PlanRequest& request);

/// The plan of a model that could not even be found: its reason says why.
Plan plan_of_missing(const Error& error, const PlanTable& table, const Target& target, const PlanRequest& request);

/// Writes run.py for a plan that fits.
Result<std::string> write_script(const Plan& plan, const Bench& bench, const AttemptRequest& request);

/// Writes the digest of a test's inputs. `script` is empty when the plan does not fit. Pure.
std::string digest_of_inputs(const FoundModel& model, const Plan& plan, const std::string& script, const Bench& bench,
                             const AttemptRequest& request, bool sandboxed);

/// The environment that a target gives to scripts, one `name=value` per line.
std::string canonical_environment(const Target& target);

}  // namespace willitrun
