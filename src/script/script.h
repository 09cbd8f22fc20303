#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "domain/plan.h"
#include "domain/stack.h"
#include "domain/target.h"

namespace willitrun {

/// Everything that a run.py is made from.
struct ScriptInput {
  Plan plan;                                ///< Must fit.
  Target target;                            ///< Its device and compile backend; its environment is the caller's matter.
  Stack stack;                              ///< For the header only; parts that are not known are left out.
  std::string prompt;                       ///< Empty: the task's own (`default_prompt`).
  std::vector<std::string> extra_packages;  ///< What the model needs beside Transformers, as pip names it.
  bool remote_code = false;                 ///< Whether code from the model's repository may run.
};

/// Returns the prompt that models of a task are given.
std::string_view default_prompt(std::string_view task);

/// Returns run.py: the script that runs a model as planned, for exactly the plan's Transformers version. Equal inputs
/// give equal bytes. InvalidArgument when the plan does not fit, or no script is known for its task, its Transformers
/// version, or its mode in that version. What the script does: run.py.in; what it reports: docs/formats/report.md.
Result<std::string> render_run_py(const ScriptInput& input);

}  // namespace willitrun
