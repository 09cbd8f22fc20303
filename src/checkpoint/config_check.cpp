#include "checkpoint/config_check.h"

#include <fmt/format.h>

#include <array>
#include <string>

namespace willitrun {
namespace {

struct Bounds {
  std::string_view field;
  std::int64_t least, most;
};

constexpr std::int64_t kMostLayers = 100'000;
constexpr std::int64_t kMostOfAny = std::int64_t{1} << 40;

constexpr auto kFields = std::to_array<Bounds>({
    {"hidden_size", 1, kMostOfAny},
    {"vocab_size", 1, kMostOfAny},
    {"num_hidden_layers", 0, kMostLayers},
    {"num_attention_heads", 1, kMostOfAny},
    {"num_key_value_heads", 1, kMostOfAny},
    {"head_dim", 1, kMostOfAny},
    {"intermediate_size", 0, kMostOfAny},
    {"moe_intermediate_size", 0, kMostOfAny},
    {"num_experts", 0, kMostOfAny},
    {"num_local_experts", 0, kMostOfAny},
    {"n_routed_experts", 0, kMostOfAny},
});

std::unexpected<PlanNote> bad(std::string message) {
  return fault(PlanCode::BadConfig, fmt::format("config.json: {}", message));
}

Checked<void> check_part(const ModelConfig& part, const std::string& path) {
  for (const auto& [field, least, most] : kFields) {
    if (!part.has(field) || part.is_null(field) || !part.integers(field).empty()) continue;
    const auto number = part.integer(field);
    if (!number) return bad(fmt::format("{}{} is not a whole number", path, field));
    if (*number < least || *number > most) return bad(fmt::format("{}{} is {}", path, field, *number));
  }
  for (const std::string& field : part.fields())
    if (const auto inner = part.object(field))
      if (auto checked = check_part(*inner, fmt::format("{}{}.", path, field)); !checked) return checked;
  return {};
}

}  // namespace

Checked<void> check_config(const ModelConfig& config) {
  constexpr std::string_view kQuantisation = "quantization_config";
  if (config.has(kQuantisation) && !config.is_null(kQuantisation) && !config.object(kQuantisation))
    return bad(fmt::format("{} is not an object", kQuantisation));
  return check_part(config, "");
}

}  // namespace willitrun
