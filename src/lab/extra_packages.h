#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "domain/row.h"
#include "lab/interpreter.h"
#include "os/home.h"

namespace willitrun {

/// Python packages that a model needs beside its stack, in a folder of their own: an interpreter's own packages are
/// never touched.
struct ExtraPackages {
  std::vector<std::string> pins;  ///< `name==version`, sorted.
  std::filesystem::path folder;   ///< For PYTHONPATH; empty when there are none.

  bool operator==(const ExtraPackages&) const = default;
};

/// Returns the packages whose lack ended an attempt, as pip names them: of a `missing_dependency` failure. Pure.
std::vector<std::string> missing_packages(const Row& attempt);

/// Installs packages with the interpreter's pip, or finds them installed before, in the home. Without what they depend
/// on: a package must not bring a second torch along; what they really import is missed and asked for in turn. Only
/// wheels, since to build a package is to run its code. InvalidArgument for a part of the stack; Unavailable when pip
/// cannot install, with its words.
Result<ExtraPackages> install_packages(const Home& home, const InterpreterFacts& interpreter,
                                       const std::vector<std::string>& names);

}  // namespace willitrun
