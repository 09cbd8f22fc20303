#include "verify/tolerance.h"

#include <algorithm>

namespace willitrun {
namespace {

// docs/verdicts.md, "Tolerances", has what each figure was measured on.
constexpr Tolerance kTolerances[] = {
    {"cpu", "float32", 1e-5, 1e-5, 1e-4},       {"cpu", "bfloat16", 0.025, 0.035, 0.08},
    {"cpu", "float16", 0.003, 0.0045, 0.01},    {"neuron", "float32", 1e-3, 1e-3, 4e-3},
    {"neuron", "bfloat16", 0.025, 0.035, 0.08}, {"neuron", "float16", 0.003, 0.0045, 0.01},
};

}  // namespace

std::span<const Tolerance> tolerances() { return kTolerances; }

Tolerance tolerance_for(std::string_view device, std::string_view dtype) {
  const std::string_view known_device = device == "cpu" ? "cpu" : "neuron";
  const auto find = [&](std::string_view name) {
    return std::ranges::find_if(kTolerances,
                                [&](const Tolerance& t) { return t.device == known_device && t.dtype == name; });
  };
  const auto* found = find(dtype);
  return found != std::end(kTolerances) ? *found : *find("bfloat16");
}

}  // namespace willitrun
