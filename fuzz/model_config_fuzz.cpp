#include <cstdint>
#include <string_view>

#include "plan/config_fields.h"

// Whatever config.json says, its fields can be asked for: a wrong one is an absent one.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace willitrun;
  const auto config = ModelConfig::parse({reinterpret_cast<const char*>(data), size});
  if (!config) return 0;
  ConfigRecord record;
  record.aliases["hidden_size"] = "n_embd";
  record.derived["head_dim"] = {Factor{"hidden_size", {"/num_attention_heads"}}};
  record.layers = LayerRule{.cycle = {"sliding_attention", "full_attention"},
                            .without_window = {"full_attention"},
                            .interval_field = "sliding_window_pattern",
                            .windowed_by = "use_sliding_window",
                            .listed_by = "compress_ratios",
                            .listed = {{"0", "sliding_attention"}, {"4", "full_attention"}},
                            .renamed = {{"attention", "full_attention"}}};
  const ConfigFields fields(*config, record);
  for (const std::string_view field : {"hidden_size", "head_dim", "num_hidden_layers"}) (void)fields.integer(field);
  (void)fields.layer_types();
  (void)fields.rope_factor("full_attention");
  (void)fields.flag("tie_word_embeddings");
  return 0;
}
