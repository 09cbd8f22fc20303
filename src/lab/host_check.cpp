#include "lab/host_check.h"

#include <fmt/format.h>

#include "base/text.h"

namespace willitrun {
namespace {

constexpr std::uint64_t kRoomForAModel = std::uint64_t{20} << 30;
constexpr std::string_view kNeuronIndex = "https://pip.repos.neuron.amazonaws.com";

/// The old XLA package carries the same name; it is another product.
bool is_xla_package(std::string_view torch_neuronx) {
  return torch_neuronx.starts_with("2.9.") || torch_neuronx.starts_with("2.8.");
}

HostCheck neuron_package(const Target& target, std::string_view package, const std::string& version) {
  HostCheck check{.what = fmt::format("{}: {}", target.name, package), .needed_for = "test on " + target.name};
  if (version.empty()) {
    check.status = CheckStatus::Missing;
    check.finding = "not installed";
    check.remedy =
        fmt::format("pip install --extra-index-url {} {}==VERSION (PyPI alone has unrelated packages of that name)",
                    kNeuronIndex, package);
  } else if (package == "torch-neuronx" && is_xla_package(version)) {
    check.status = CheckStatus::Missing;
    check.finding = fmt::format("{} is the old XLA package, another product", version);
    check.remedy = fmt::format("pip install --extra-index-url {} 'torch-neuronx>=2.13.3'", kNeuronIndex);
  } else {
    check.finding = version;
  }
  return check;
}

}  // namespace

std::vector<HostCheck> check_sandbox(const SandboxTools& tools) {
  if (!tools.bubblewrap)
    return {{"sandbox", "test", CheckStatus::Missing, tools.obstacle,
             "apt-get install bubblewrap; in a container, allow user namespaces (--security-opt seccomp=unconfined)"}};
  std::vector<HostCheck> checks = {{"sandbox", "test", CheckStatus::Ok, join(describe_limits(tools), "; "), ""}};
  if (!tools.cgroups.memory || !tools.cgroups.pids)
    checks.push_back({"control groups", "limits on whole process trees", CheckStatus::Weak,
                      "memory and process limits hold per process or user only",
                      "run as root, or delegate a cgroup: systemd-run --user --scope -p Delegate=yes willitrun ..."});
  return checks;
}

HostCheck check_disk(const std::string& folder, std::uint64_t free_bytes) {
  HostCheck check{"disk", "test", CheckStatus::Ok, fmt::format("{} free at '{}'", human_bytes(free_bytes), folder), ""};
  if (free_bytes >= kRoomForAModel) return check;
  check.status = CheckStatus::Weak;
  check.remedy = "free some space, or name a larger home: --home DIR";
  return check;
}

std::vector<HostCheck> check_interpreter(const Target& target, const std::string& transformers,
                                         const Result<InterpreterFacts>& facts) {
  HostCheck check{.what = fmt::format("{}: Transformers {}", target.name, transformers),
                  .needed_for = "test on " + target.name};
  if (!facts) {
    check.status = CheckStatus::Missing;
    check.finding = facts.error().message;
    check.remedy =
        target.device == "neuron" ? "export NEURON_PYTHON=/path/to/the/neuron/venv/bin/python" : "make build";
    return {check};
  }
  const Stack& stack = facts->stack;
  check.finding = fmt::format("Python {}, torch {}", stack.python, stack.torch.empty() ? "missing" : stack.torch);
  if (stack.torch.empty()) {
    check.status = CheckStatus::Missing;
    check.remedy = fmt::format("{} -m pip install torch", facts->python.string());
  }
  std::vector<HostCheck> checks = {check};
  if (target.device != "neuron" || target.emulated) return checks;
  checks.push_back(neuron_package(target, "torch-neuronx", stack.torch_neuronx));
  checks.push_back(neuron_package(target, "neuronx-cc", stack.neuronx_cc));
  return checks;
}

std::vector<HostCheck> check_neuron_device(const Target& target, int num_devices, const std::string& driver) {
  HostCheck devices{target.name + ": device", "test on " + target.name, CheckStatus::Ok,
                    fmt::format("{} Neuron devices", num_devices), ""};
  if (num_devices == 0) {
    devices.status = CheckStatus::Missing;
    devices.finding = "no /dev/neuron*";
    devices.remedy = "use a Trainium2 instance (trn2.3xlarge or larger), or --target cpu";
  }
  HostCheck module{target.name + ": driver", "test on " + target.name, CheckStatus::Ok, driver, ""};
  if (driver.empty()) {
    module.status = CheckStatus::Missing;
    module.finding = "the kernel module 'neuron' is not loaded";
    module.remedy = "apt-get install aws-neuronx-dkms && modprobe neuron";
  }
  return {devices, module};
}

}  // namespace willitrun
