#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "base/result.h"
#include "domain/enum_text.h"
#include "domain/target.h"
#include "lab/interpreter.h"
#include "lab/sandbox.h"

namespace willitrun {

enum class CheckStatus {
  Ok,
  Weak,     ///< It works, with less than it could.
  Missing,  ///< What needs it cannot be done on this host.
};

constexpr auto enum_names(std::type_identity<CheckStatus>) {
  return std::to_array<EnumName<CheckStatus>>(
      {{CheckStatus::Ok, "ok"}, {CheckStatus::Weak, "weak"}, {CheckStatus::Missing, "missing"}});
}

/// One thing that was looked at on this host.
struct HostCheck {
  std::string what;        ///< `sandbox`, `trn2: interpreter`, ...
  std::string needed_for;  ///< `look up`, `plan`, `test`, `test on trn2`, ...
  CheckStatus status = CheckStatus::Ok;
  std::string finding;
  std::string remedy;  ///< The command that mends it; empty when nothing has to be done.
};

/// What the sandbox on this host can and cannot do. Pure.
std::vector<HostCheck> check_sandbox(const SandboxTools& tools);

/// Whether there is room for a model and its runs. Pure.
HostCheck check_disk(const std::string& folder, std::uint64_t free_bytes);

/// What an interpreter's packages say about a target that needs `transformers`: `facts` or why there are none. Pure.
std::vector<HostCheck> check_interpreter(const Target& target, const std::string& transformers,
                                         const Result<InterpreterFacts>& facts);

/// Devices and driver of a Neuron host. Pure.
std::vector<HostCheck> check_neuron_device(const Target& target, int num_devices, const std::string& driver);

}  // namespace willitrun
