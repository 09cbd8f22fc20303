#include "script/header.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "base/text.h"
#include "script/python_text.h"

namespace willitrun {
namespace {

/// The public bucket of compiled graphs has one folder per compiler version (announcement of October 2026).
constexpr std::string_view kCacheBucket = "hf://buckets/aws-neuron/torch-neuronx-neff-cache";

std::string render_plan(const Plan& plan) {
  if (plan.cores == 1) return fmt::format("1 core, {} bytes of parameters", plan.bytes.per_core);
  return fmt::format("{} over {} cores, {} bytes of parameters on each", to_text(*plan.mode), plan.cores,
                     plan.bytes.per_core);
}

using Versions = std::vector<std::pair<std::string_view, std::string_view>>;

std::string render_versions(const Versions& versions) {
  std::vector<std::string> known;
  for (const auto& [name, version] : versions)
    if (!version.empty()) known.push_back(fmt::format("{} {}", name, version));
  return join(known, ", ");
}

/// What to install beside the device's own stack; torch is part of that.
std::string render_packages(const ScriptInput& input) {
  std::vector<std::string> packages = {"transformers==" + input.plan.transformers};
  packages.push_back(input.stack.accelerate.empty() ? "accelerate" : "accelerate==" + input.stack.accelerate);
  if (input.plan.model.task == "image-text-to-text") packages.emplace_back("pillow");
  packages.insert(packages.end(), input.extra_packages.begin(), input.extra_packages.end());
  return "pip install " + join(packages, " ");
}

/// Empty when there is no public cache: another device, an emulated one, or a compiler that is not known.
std::string render_cache(const ScriptInput& input) {
  if (input.target.device != "neuron" || input.target.emulated || input.stack.neuronx_cc.empty()) return {};
  const auto version = split(input.stack.neuronx_cc, '+').front();  // without the build's own part
  return fmt::format("hf buckets sync {}/neuronxcc-{} /tmp/neff_cache", kCacheBucket, version);
}

}  // namespace

std::string render_header(const ScriptInput& input) {
  const PlannedModel& model = input.plan.model;
  const Stack& stack = input.stack;
  const std::vector<std::pair<std::string_view, std::string>> facts = {
      {"model", model.revision.empty() ? model.id : fmt::format("{} at {}", model.id, model.revision)},
      {"task", model.task},
      {"plan", render_plan(input.plan)},
      {"stack", render_versions({{"transformers", input.plan.transformers},
                                 {"accelerate", stack.accelerate},
                                 {"torch", stack.torch},
                                 {"python", stack.python}})},
      {"neuron", render_versions({{"torch-neuronx", stack.torch_neuronx},
                                  {"neuronx-cc", stack.neuronx_cc},
                                  {"nki", stack.nki},
                                  {"driver", stack.neuron_driver}})},
      {"packages", render_packages(input)},
      {"graphs", render_cache(input)}};
  std::vector<std::string> lines;
  for (const auto& [name, fact] : facts)
    if (!fact.empty()) lines.push_back(fmt::format("  {:<10} {}", name, docstring_text(fact)));
  return join(lines, "\n");
}

}  // namespace willitrun
