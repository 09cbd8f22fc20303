#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "domain/target.h"

namespace willitrun {

/// The folder that holds targets/, plans/ and selections/: WILLITRUN_DATA, else share/willitrun beside an installed
/// program, else the source tree that this program was built from.
std::filesystem::path data_folder();

/// Reads targets/<name>.toml. NotFound lists the names that exist.
Result<Target> load_target(std::string_view name);

/// Returns the names of all targets, sorted.
Result<std::vector<std::string>> target_names();

}  // namespace willitrun
