#pragma once

#include <filesystem>

#include "base/result.h"

namespace willitrun {

/// Loads a shared library, once per process, and returns the address of one of its functions. It stays loaded. NotFound
/// when the file or the function is missing, Unavailable when a library that it needs is.
Result<void*> load_function(const std::filesystem::path& library, const char* function);

/// Returns the folder of the running program's file.
Result<std::filesystem::path> program_folder();

}  // namespace willitrun
