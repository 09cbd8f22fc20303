#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "domain/target.h"
#include "plan/plan_table.h"

namespace willitrun {

/// The folder that holds targets/, plans/ and selections/: WILLITRUN_DATA, else share/willitrun beside an installed
/// program, else the source tree that this program was built from.
std::filesystem::path data_folder();

/// The Python environment of our own: WILLITRUN_ENVIRONMENT, else .venv in the data folder.
std::filesystem::path project_environment();

/// Reads targets/<name>.toml. NotFound lists the names that exist.
Result<Target> load_target(std::string_view name);

/// Returns the names of all targets, sorted.
Result<std::vector<std::string>> target_names();

/// Reads plans/transformers-<version>.json. InvalidArgument when there is none.
Result<PlanTable> load_plan_table(const std::string& version);

}  // namespace willitrun
