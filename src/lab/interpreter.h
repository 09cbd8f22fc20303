#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "domain/stack.h"
#include "domain/target.h"

namespace willitrun {

/// What a Python installation is made of.
struct InterpreterFacts {
  std::filesystem::path python;
  Stack stack;
  std::string package_lock;                    ///< `name==version` per line, sorted.
  std::vector<std::filesystem::path> folders;  ///< What it needs to see of the host, itself included.
};

/// Asks the interpreter that the target names for `transformers` about itself, without importing what it has installed.
/// NotFound when the target names none or it is not there: the message says what to do.
Result<InterpreterFacts> probe_interpreter(const Target& target, const std::string& transformers);

/// Reads the interpreter's answer. `driver` is the version of the Neuron driver, or empty. Parts that the target's
/// device does not use are left out of the stack, also when they are installed. Pure.
Result<InterpreterFacts> read_interpreter_answer(std::string_view json, const Target& target, std::string_view driver);

}  // namespace willitrun
