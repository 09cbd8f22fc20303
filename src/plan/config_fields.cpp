#include "plan/config_fields.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace willitrun {
namespace {

// Fields may follow from each other; no class needs more steps, and a table that goes in circles ends here.
constexpr int kMaxDepth = 4;

constexpr std::int64_t kMaxLayers = 100'000;

}  // namespace

std::vector<std::string> ConfigFields::names_of(std::string_view field) const {
  std::vector<std::string> names = {std::string(field)};
  for (const auto& [attribute, name] : record_.aliases) {
    if (attribute == field) names.push_back(name);
    if (name == field) names.push_back(attribute);
  }
  return names;
}

std::optional<std::int64_t> ConfigFields::integer(std::string_view field) const { return integer(field, 0); }

std::optional<std::int64_t> ConfigFields::integer(std::string_view field, int depth) const {
  if (depth > kMaxDepth) return std::nullopt;
  if (const auto found = record_.forced.find(std::string(field)); found != record_.forced.end())
    if (const auto value = evaluate(found->second, depth + 1)) return value;
  bool is_null = false;
  for (const std::string& name : names_of(field)) {
    if (const auto value = config_.integer(name)) return value;
    is_null |= config_.is_null(name);
  }
  for (const auto* products : {is_null ? &record_.nulls : &record_.derived, &record_.derived})
    if (const auto found = products->find(std::string(field)); found != products->end())
      if (const auto value = evaluate(found->second, depth + 1)) return value;
  if (is_null) return std::nullopt;
  for (const std::string& name : names_of(field))
    if (const auto found = record_.defaults.find(name); found != record_.defaults.end())
      return static_cast<std::int64_t>(found->second);
  return std::nullopt;
}

bool ConfigFields::flag(std::string_view field) const {
  for (const std::string& name : names_of(field))
    if (const auto value = config_.flag(name)) return *value;
  const auto found = record_.defaults.find(std::string(field));
  return found != record_.defaults.end() && found->second != 0;
}

double ConfigFields::rope_factor(std::string_view layer_type) const {
  constexpr std::string_view kFactor = "partial_rotary_factor";
  for (const std::string_view parameters : {"rope_parameters", "rope_scaling"})
    if (const auto rope = config_.object(parameters)) {
      if (const auto nested = rope->object(layer_type))
        if (const auto value = nested->number(kFactor)) return *value;
      if (const auto value = rope->number(kFactor)) return *value;
    }
  for (const std::string_view name : {kFactor, std::string_view("rotary_pct"), std::string_view("rope_pct")})
    if (const auto value = config_.number(name)) return *value;
  if (!record_.rope_from.empty()) {
    const auto turned = config_.integer(record_.rope_from);
    const auto head = integer("head_dim");
    if (turned && head && *head > 0) return static_cast<double>(*turned) / static_cast<double>(*head);
  }
  for (const std::string_view key : {layer_type, std::string_view()})
    if (const auto found = record_.rope.find(std::string(key)); found != record_.rope.end()) return found->second;
  return 1.0;
}

std::optional<std::int64_t> ConfigFields::evaluate(const Factor& factor, int depth) const {
  std::optional<std::int64_t> value;
  if (const auto* number = std::get_if<std::int64_t>(&factor.base))
    value = *number;
  else
    value = integer(std::get<std::string>(factor.base), depth);
  for (const std::string& step : factor.steps) {
    if (!value || step.size() < 2) return std::nullopt;
    const std::string_view operand = std::string_view(step).substr(1);
    if (step.starts_with("*rope")) {
      const std::string_view layer_type = operand.size() > 5 ? operand.substr(5) : std::string_view();
      value = static_cast<std::int64_t>(static_cast<double>(*value) * rope_factor(layer_type));
      continue;
    }
    const auto constant = parse_uint(operand);
    const auto other = constant ? std::optional(static_cast<std::int64_t>(*constant)) : integer(operand, depth);
    if (!other || (step[0] != '*' && *other <= 0)) return std::nullopt;
    if (step[0] == '^') value = (*value + *other - 1) / *other;
    if (step[0] == '/') value = *value / *other;
    if (step[0] == '*') value = *value * *other;
  }
  return value;
}

std::optional<std::int64_t> ConfigFields::evaluate(const Product& product, int depth) const {
  std::int64_t result = 1;
  for (const Factor& factor : product) {
    const auto value = evaluate(factor, depth);
    if (!value || __builtin_mul_overflow(result, *value, &result)) return std::nullopt;
  }
  return result;
}

std::optional<std::uint64_t> ConfigFields::evaluate(const Formula& formula) const {
  std::int64_t sum = 0;
  for (const Product& product : formula) {
    const auto value = evaluate(product, 0);
    if (!value || __builtin_add_overflow(sum, *value, &sum)) return std::nullopt;
  }
  return sum < 0 ? std::nullopt : std::optional(static_cast<std::uint64_t>(sum));
}

std::vector<std::string> ConfigFields::layer_types() const {
  std::vector<std::string> kinds = config_.texts("layer_types");
  if (kinds.empty()) kinds = config_.texts("layers_block_type");
  if (kinds.empty()) kinds = listed_kinds();
  if (kinds.empty()) kinds = usual_kinds();
  const auto shared = std::clamp<std::int64_t>(integer("num_kv_shared_layers").value_or(0), 0, kMaxLayers);
  kinds.resize(kinds.size() - std::min(kinds.size(), static_cast<std::size_t>(shared)));
  for (std::string& kind : kinds) {
    const auto renamed = record_.layers.renamed.find(kind);
    if (renamed != record_.layers.renamed.end())
      kind = renamed->second;
    else if (kind == "attention")
      kind = "full_attention";
  }
  return kinds;
}

std::size_t ConfigFields::depth() const {
  return static_cast<std::size_t>(std::clamp<std::int64_t>(integer("num_hidden_layers").value_or(0), 0, kMaxLayers));
}

std::vector<std::string> ConfigFields::listed_kinds() const {
  const LayerRule& rule = record_.layers;
  if (rule.listed_by.empty()) return {};
  const std::size_t dot = rule.listed_by.find('.');
  const auto outer = dot == std::string::npos ? config_ : config_.object(rule.listed_by.substr(0, dot));
  if (!outer) return {};
  std::vector<std::string> kinds;
  for (const std::int64_t number : outer->integers(rule.listed_by.substr(dot + 1))) {
    const auto kind = rule.listed.find(std::to_string(number));
    kinds.push_back(kind == rule.listed.end() ? "full_attention" : kind->second);
  }
  kinds.resize(std::min(kinds.size(), depth()));
  return kinds;
}

std::vector<std::string> ConfigFields::cycle(std::int64_t window) const {
  const LayerRule& rule = record_.layers;
  std::vector<std::string> cycle = rule.cycle.empty() ? std::vector<std::string>{"full_attention"} : rule.cycle;
  if (window <= 0 && !rule.without_window.empty()) cycle = rule.without_window;
  if (rule.interval_field.empty() || cycle.size() < 2) return cycle;
  const auto interval = config_.integer(rule.interval_field);
  if (!interval || *interval <= 0 || *interval >= kMaxLayers) return cycle;
  const std::string last = cycle.back(), first = cycle.front();
  cycle.assign(static_cast<std::size_t>(*interval), first);
  cycle.back() = last;
  return cycle;
}

std::vector<std::string> ConfigFields::usual_kinds() const {
  const LayerRule& rule = record_.layers;
  const auto window = integer("sliding_window").value_or(0);
  const std::vector<std::string> repeated = cycle(window);
  const bool is_windowed =
      !rule.windowed_by.empty() && window > 0 && (rule.windowed_by == "sliding_window" || flag(rule.windowed_by));
  const auto from =
      is_windowed && rule.windowed_by == "use_sliding_window" ? integer("max_window_layers").value_or(0) : 0;
  std::vector<std::string> kinds;
  for (std::size_t i = 0; i < depth(); ++i) {
    const bool is_first = i < rule.start.size();
    if (is_windowed && static_cast<std::int64_t>(i) >= from)
      kinds.push_back("sliding_attention");
    else
      kinds.push_back(is_first ? rule.start[i] : repeated[(i - rule.start.size()) % repeated.size()]);
  }
  return kinds;
}

}  // namespace willitrun
