#include "plan/quantisation.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>

namespace willitrun {
namespace {

std::optional<ModelConfig> settings_of(const ModelConfig& config) {
  for (const std::string_view field : {"quantization_config", "quantization"})
    if (auto found = config.object(field)) return found;
  for (const std::string_view nested : {"text_config", "llm_config", "language_config", "thinker_config"})
    if (const auto inner = config.object(nested))
      if (auto found = settings_of(*inner)) return found;
  return std::nullopt;
}

/// Bits of a compressed-tensors configuration: the first group that says how many.
int compressed_bits(const ModelConfig& settings) {
  const auto groups = settings.object("config_groups");
  if (!groups) return 0;
  for (const std::string& name : groups->fields())
    if (const auto group = groups->object(name))
      if (const auto weights = group->object("weights"))
        if (const auto bits = weights->integer("num_bits")) return static_cast<int>(*bits);
  return 0;
}

bool ends_with_any(std::string_view name, std::initializer_list<std::string_view> endings) {
  return std::any_of(endings.begin(), endings.end(), [&](std::string_view ending) { return name.ends_with(ending); });
}

/// Tells whether a tensor only helps to unpack others.
bool is_bookkeeping(std::string_view name) {
  return ends_with_any(name, {".qzeros",
                              ".g_idx",
                              ".scales",
                              ".weight_scale",
                              ".weight_zero_point",
                              ".weight_shape",
                              ".weight_g_idx",
                              "_scales",
                              ".absmax",
                              ".quant_map",
                              ".nested_absmax",
                              ".nested_quant_map",
                              ".weight_scale_inv",
                              "_scale_inv",
                              ".input_scale",
                              ".weight_scale_2",
                              ".SCB",
                              ".weight_format",
                              ".weight_global_scale",
                              ".input_global_scale",
                              ".activation_scale"}) ||
         name.find(".quant_state.") != std::string_view::npos;
}

std::uint64_t elements_of(const TensorInfo& tensor) { return tensor.size_bytes() * 8 / bits_of(tensor.dtype); }

/// How many weights one element holds.
std::uint64_t weights_per_element(const TensorInfo& tensor, const QuantisationClaim& claim) {
  const bool is_packed = ends_with_any(tensor.name, {".qweight", ".weight_packed", "_blocks", "_packed"}) ||
                         (claim.method == "bitsandbytes_4bit" && tensor.dtype == Dtype::U8);
  if (!is_packed || is_floating(tensor.dtype)) return 1;
  const auto bits = static_cast<std::uint64_t>(std::clamp(claim.bits == 0 ? 4 : claim.bits, 1, 32));
  return std::max<std::uint64_t>(bits_of(tensor.dtype) / bits, 1);
}

}  // namespace

std::optional<QuantisationClaim> quantisation_of(const ModelConfig& config) {
  const auto settings = settings_of(config);
  if (!settings) return std::nullopt;
  QuantisationClaim claim;
  claim.method = settings->text("quant_method").value_or(settings->text("quant_algo") ? "modelopt" : "unnamed");
  claim.bits = static_cast<int>(settings->integer("bits").value_or(compressed_bits(*settings)));
  if (claim.method == "bitsandbytes" || settings->flag("load_in_4bit") || settings->flag("load_in_8bit")) {
    const bool is_4bit =
        settings->flag("load_in_4bit").value_or(false) || settings->flag("_load_in_4bit").value_or(false);
    claim.method = is_4bit ? "bitsandbytes_4bit" : "bitsandbytes_8bit";
    claim.bits = is_4bit ? 4 : 8;
  }
  return claim;
}

std::uint64_t logical_parameters(const Checkpoint& checkpoint, const std::optional<QuantisationClaim>& claim) {
  const std::unordered_set<const TensorInfo*> replaced(checkpoint.duplicates.begin(), checkpoint.duplicates.end());
  std::uint64_t count = 0;
  for (const Shard& shard : checkpoint.shards)
    for (const TensorInfo& tensor : shard.header.tensors) {
      if (replaced.contains(&tensor)) continue;
      if (claim && (is_bookkeeping(tensor.name) || tensor.dtype == Dtype::F8E8M0)) continue;
      count += elements_of(tensor) * (claim ? weights_per_element(tensor, *claim) : 1);
    }
  return count;
}

}  // namespace willitrun
