#include "plan/static_cache.h"

#include <algorithm>

namespace willitrun {
namespace {

/// How many tokens a layer keeps: all, or those in its window.
std::uint64_t length_of(const std::string& kind, const ConfigFields& text, std::uint64_t tokens) {
  const bool is_chunked = kind == "chunked_attention";
  if (!is_chunked && kind.find("sliding") == std::string::npos) return tokens;
  const auto window = text.integer(is_chunked ? "attention_chunk_size" : "sliding_window").value_or(0);
  return window <= 0 ? tokens : std::min(tokens, static_cast<std::uint64_t>(window));
}

std::uint64_t bytes_of(const CacheTensor& tensor, const ConfigFields& text, std::uint64_t length,
                       std::uint64_t head_parts, Dtype dtype) {
  const bool has_heads = tensor.name == "keys" || tensor.name == "values";
  std::uint64_t elements = 1;
  for (std::size_t i = 0; i < tensor.dimensions.size(); ++i) {
    const Formula& formula = tensor.dimensions[i];
    std::uint64_t size = formula.empty() ? length : text.evaluate(formula).value_or(0);
    if (i == 0 && has_heads && size > 1) size = (size + head_parts - 1) / head_parts;
    elements *= size;
  }
  const Dtype own = tensor.dtype.empty() ? dtype : dtype_from_torch(tensor.dtype).value_or(dtype);
  return elements * bits_of(own) / 8;
}

/// The tensors of a kind that the export did not meet: those of the nearest kind of attention, at the kind's own
/// length.
const std::vector<CacheTensor>* stand_in_for(const std::string& kind,
                                             const std::map<std::string, std::vector<CacheTensor>>& cache) {
  const auto is_attention = [](const std::string& name) {
    return name.find("attention") != std::string::npos && name != "linear_attention";
  };
  if (!is_attention(kind)) return nullptr;
  if (const auto full = cache.find("full_attention"); full != cache.end()) return &full->second;
  for (const auto& [other, tensors] : cache)
    if (is_attention(other)) return &tensors;
  return nullptr;
}

}  // namespace

std::uint64_t static_cache_bytes(const std::map<std::string, std::vector<CacheTensor>>& cache, const ConfigFields& text,
                                 std::uint64_t tokens, std::uint64_t head_parts, Dtype dtype) {
  std::map<std::string, std::uint64_t> per_kind;
  std::uint64_t total = 0;
  for (const std::string& kind : text.layer_types()) {
    const auto [entry, is_new] = per_kind.try_emplace(kind, 0);
    if (is_new) {
      const auto found = cache.find(kind);
      const auto* const tensors = found != cache.end() ? &found->second : stand_in_for(kind, cache);
      if (tensors)
        for (const CacheTensor& tensor : *tensors)
          entry->second += bytes_of(tensor, text, length_of(kind, text, tokens), head_parts, dtype);
    }
    total += entry->second;
  }
  return total;
}

}  // namespace willitrun
