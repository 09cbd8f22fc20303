#include "cli/plan_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "cli/table.h"

namespace willitrun {
namespace {

constexpr std::size_t kBarWidth = 24;

std::string bar(std::uint64_t used, std::uint64_t capacity) {
  const double share = capacity == 0 ? 1.0 : static_cast<double>(used) / static_cast<double>(capacity);
  const auto filled = static_cast<std::size_t>(std::min(1.0, share) * kBarWidth + 0.5);
  std::string text;
  for (std::size_t i = 0; i < kBarWidth; ++i) text += i < filled ? "█" : "·";
  return fmt::format("{} {:>4.0f} %", text, share * 100);
}

/// 596049920 -> `596 M`, 8030261248 -> `8.03 B`.
std::string human_count(std::uint64_t count) {
  const auto value = static_cast<double>(count);
  if (value >= 1e12) return fmt::format("{:.3g} T", value / 1e12);
  if (value >= 1e9) return fmt::format("{:.3g} B", value / 1e9);
  if (value >= 1e6) return fmt::format("{:.3g} M", value / 1e6);
  return fmt::format("{}", count);
}

std::string headline(const Plan& plan) {
  const std::string why = plan.reason ? ": " + plan.reason->message : "";
  switch (plan.status) {
    case PlanStatus::Fits:
      if (plan.cores == 1) return coloured("fits on 1 core", Colour::Green);
      return coloured(fmt::format("fits on {} cores, {}", plan.cores, to_text(*plan.mode)), Colour::Green);
    case PlanStatus::TooLarge: return coloured("does not fit" + why, Colour::Red);
    case PlanStatus::CannotRun: return coloured("cannot run" + why, Colour::Red);
    case PlanStatus::Invalid: return coloured("the files are wrong" + why, Colour::Red);
    case PlanStatus::Unavailable: return coloured("no answer" + why, Colour::Yellow);
  }
  return {};
}

std::uint64_t used_bytes(const Plan& plan, const PlanOption& option) {
  return option.per_core + plan.bytes.buffers + option.kv_cache_per_core + plan.bytes.reserve_per_core;
}

std::string options_table(const Plan& plan) {
  Table table(
      {{"CORES", true}, {"MODE"}, {"PER CORE", true}, {"OF " + human_bytes(plan.bytes.capacity_per_core)}, {""}});
  for (const PlanOption& option : plan.options) {
    const bool is_known = option.per_core > 0;
    const bool is_chosen = option.fits && option.cores == plan.cores && option.mode == plan.mode;
    const std::string verdict = option.reason ? option.reason->message : is_chosen ? "fits, and is chosen" : "fits";
    table.add({fmt::format("{}", option.cores), std::string(to_text(option.mode)),
               is_known ? human_bytes(used_bytes(plan, option)) : "-",
               is_known ? bar(used_bytes(plan, option), plan.bytes.capacity_per_core) : "", verdict});
  }
  return table.to_text();
}

/// What the numbers stand on.
std::string facts(const Plan& plan) {
  std::string text;
  if (plan.parameters > 0)
    text +=
        fmt::format("Model     {}{}{} parameters{}\n", plan.model.model_type, plan.model.model_type.empty() ? "" : ", ",
                    human_count(plan.parameters), plan.dtype.empty() ? "" : " in " + plan.dtype);
  if (plan.bytes.loaded > 0)
    text += fmt::format("Weights   {} in the files, {} once loaded\n", human_bytes(plan.bytes.stored),
                        human_bytes(plan.bytes.loaded));
  else if (plan.bytes.stored > 0)
    text += fmt::format("Weights   {} in the files\n", human_bytes(plan.bytes.stored));
  if (!plan.options.empty()) {
    text += fmt::format("Per core  weights, {} of buffers, {} of static cache{}, {} kept back for the runtime\n",
                        human_bytes(plan.bytes.buffers), human_bytes(plan.bytes.kv_cache_per_core),
                        plan.cores > 1 ? fmt::format(" (on {} cores)", plan.cores) : "",
                        human_bytes(plan.bytes.reserve_per_core));
    text += fmt::format("Assumed   one sequence of {} + {} tokens, the cache as Transformers {} allocates it\n",
                        plan.tokens.prompt_tokens, plan.tokens.new_tokens, plan.transformers);
  }
  for (const PlanNote& note : plan.notes) text += fmt::format("Note      {}\n", note.message);
  return text;
}

std::string advice(const Plan& plan) {
  const std::string test = fmt::format("willitrun test {} --target {}", plan.model.id, plan.target);
  switch (plan.status) {
    case PlanStatus::Fits: return test;
    case PlanStatus::TooLarge: return "a smaller or quantised sibling of the model, or fewer tokens (--prompt-tokens)";
    case PlanStatus::CannotRun: break;
    case PlanStatus::Invalid: return "download the files again, or tell the model's owner";
    case PlanStatus::Unavailable: return "check the name, the network and the access token (HF_TOKEN)";
  }
  switch (plan.reason ? plan.reason->code : PlanCode::NoPlan) {
    case PlanCode::RemoteCode:
      return test + " --allow-remote-code, if you trust the model's own code; its size is not planned";
    case PlanCode::QuantUnsupported: return "the model's unquantised sibling";
    case PlanCode::NoWeights: return "a sibling of the model whose weights are in safetensors";
    case PlanCode::UnsupportedTask: return "another model: only text generation and image-text-to-text are planned";
    default: return "another Transformers version (--transformers); `willitrun stacks` lists them";
  }
}

}  // namespace

std::string plan_text(const Plan& plan) {
  std::string text = fmt::format("{} on {} with Transformers {}: {}\n", coloured(plan.model.id, Colour::Bold),
                                 plan.target, plan.transformers, headline(plan));
  if (!plan.options.empty()) text += "\n" + options_table(plan);
  const std::string stood_on = facts(plan);
  if (!stood_on.empty()) text += "\n" + stood_on;
  return text + fmt::format("Next      {}\n", advice(plan));
}

}  // namespace willitrun
