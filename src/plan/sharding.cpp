#include "plan/sharding.h"

#include <fmt/format.h>

namespace willitrun {
namespace {

std::string_view last_part(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos ? name : name.substr(dot + 1);
}

/// Tells whether a name is one of the ep plan's or lies under one (transformers, distributed/mixin.py, is_expert).
bool belongs_to_experts(const std::map<std::string, PlanRule, std::less<>>& ep, std::string_view name) {
  for (std::size_t dot = name.size(); dot != std::string_view::npos && dot > 0; dot = name.rfind('.', dot - 1))
    if (ep.contains(name.substr(0, dot))) return true;
  return false;
}

/// The rule that a parameter follows.
const PlanRule* rule_of(const ShardingRules& rules, std::string_view name) {
  if (const PlanRule* rule = rule_for(rules.ep, name)) return rule;
  return rule_for(rules.tp, name);
}

/// A core's share of one dimension.
std::uint64_t share_of(std::uint64_t size, const Cut& cut, std::uint64_t cores) {
  const auto parts = static_cast<std::uint64_t>(cut.parts);
  const std::uint64_t piece = size / parts;
  // Rows that do not fill a part are kept by nobody when parts are cut by themselves.
  return parts * (cut.rounds_up ? (piece + cores - 1) / cores : piece / cores);
}

std::uint64_t bytes_on_fullest(const LoadedTensors& tensors, const PlanRule* rule, const PlanTable& table,
                               std::uint64_t cores) {
  if (!rule) return tensors.bytes();
  const auto cut = table.cut(rule->style, last_part(tensors.name), tensors.shape.size());
  if (!cut || static_cast<std::size_t>(cut->dimension) >= tensors.shape.size()) return tensors.bytes();
  LoadedTensors local = tensors;
  std::uint64_t& size = local.shape[static_cast<std::size_t>(cut->dimension)];
  size = share_of(size, *cut, cores);
  return local.bytes();
}

std::optional<PlanNote> heads_indivisible(const ModelLayout& layout, const ShardingRules& rules, const PlanTable& table,
                                          int cores) {
  for (const auto& [name, rule] : rules.tp)
    for (const std::string& field : table.head_fields(last_part(name), rule.style)) {
      const auto heads = layout.configs[rule.owner].integer(field);
      if (heads && *heads > 0 && *heads % cores != 0)
        return PlanNote{PlanCode::HeadsNotDivisible,
                        fmt::format("{} {} cannot be split over {} cores", *heads,
                                    field == "num_attention_heads" ? "attention heads" : "key/value heads", cores)};
    }
  return std::nullopt;
}

}  // namespace

std::optional<ShardingRules> rules_of(Mode mode, const PlanTable& table, const ModelLayout& layout) {
  switch (mode) {
    case Mode::Single: return ShardingRules{};
    case Mode::Tp:
      if (!table.offers_tp() || layout.tp_plan.empty()) return std::nullopt;
      return ShardingRules{layout.tp_plan, {}};
    case Mode::Ep:
      if (layout.ep_plan.empty() || (!layout.tp_plan.empty() && !table.offers_ep_beside_tp_plan())) return std::nullopt;
      return ShardingRules{{}, layout.ep_plan};
    case Mode::TpEp: {
      if (!table.offers_tp_ep() || layout.tp_plan.empty() || layout.ep_plan.empty()) return std::nullopt;
      ShardingRules rules{layout.tp_plan, layout.ep_plan};
      std::erase_if(rules.tp, [&](const auto& entry) { return belongs_to_experts(rules.ep, entry.first); });
      return rules;
    }
  }
  return std::nullopt;
}

std::uint64_t bytes_per_core(const LoadedModel& model, const ShardingRules& rules, const PlanTable& table, int cores) {
  std::uint64_t total = 0;
  for (const LoadedTensors& tensors : model.tensors) {
    if (tensors.is_buffer) continue;
    const PlanRule* const rule = cores == 1 ? nullptr : rule_of(rules, tensors.name);
    total += tensors.count * bytes_on_fullest(tensors, rule, table, static_cast<std::uint64_t>(cores));
  }
  return total;
}

std::optional<PlanNote> indivisible(const LoadedModel& model, const ModelLayout& layout, const ShardingRules& rules,
                                    const PlanTable& table, int cores) {
  if (auto reason = heads_indivisible(layout, rules, table, cores)) return reason;
  const auto parts = static_cast<std::uint64_t>(cores);
  for (const LoadedTensors& tensors : model.tensors) {
    const PlanRule* const rule = tensors.is_buffer || tensors.shape.empty() ? nullptr : rule_of(rules, tensors.name);
    if (!rule) continue;
    if (!table.knows_style(rule->style))
      return PlanNote{PlanCode::NoPlan,
                      fmt::format("the plan cuts {} in the style '{}', which Transformers {} does not have",
                                  tensors.name, rule->style, table.version())};
    if (table.wants_whole_experts(rule->style) && tensors.shape[0] % parts != 0)
      return PlanNote{PlanCode::ExpertsNotDivisible,
                      fmt::format("{} experts cannot be split over {} cores", tensors.shape[0], cores)};
    if (table.wants_even_split(rule->style) && tensors.shape[0] % parts != 0)
      return PlanNote{PlanCode::VocabNotDivisible, fmt::format("{} rows of {} cannot be split evenly over {} cores",
                                                               tensors.shape[0], tensors.name, cores)};
  }
  return std::nullopt;
}

bool cuts_cache_heads(const ShardingRules& rules, const PlanTable& table) {
  for (const auto& [name, rule] : rules.tp)
    if (table.cuts_cache(last_part(name), rule.style)) return true;
  for (const auto& [name, rule] : rules.ep)
    if (table.cuts_cache(last_part(name), rule.style)) return true;
  return false;
}

}  // namespace willitrun
