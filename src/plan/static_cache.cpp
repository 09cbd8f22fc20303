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

std::uint64_t bytes_of(const CacheTensor& tensor, const ConfigFields& text, std::uint64_t length, std::uint64_t head_parts, Dtype dtype) {
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

}  // namespace

std::uint64_t static_cache_bytes(const std::map<std::string, std::vector<CacheTensor>>& cache, const ConfigFields& text,
                                 std::uint64_t tokens, std::uint64_t head_parts, Dtype dtype) {
  std::map<std::string, std::uint64_t> per_kind;
  for (const auto& [kind, tensors] : cache)
    for (const CacheTensor& tensor : tensors)
      per_kind[kind] += bytes_of(tensor, text, length_of(kind, text, tokens), head_parts, dtype);
  // A kind that was not met in the export is charged as full attention: the largest that it can be.
  const auto full = per_kind.find("full_attention");
  std::uint64_t total = 0;
  for (const std::string& kind : text.layer_types()) {
    if (const auto found = per_kind.find(kind); found != per_kind.end()) {
      total += found->second;
    } else if (kind.find("attention") != std::string::npos && kind != "linear_attention" && full != per_kind.end()) {
      for (const CacheTensor& tensor : cache.at("full_attention")) total += bytes_of(tensor, text, length_of(kind, text, tokens), head_parts, dtype);
    }
  }
  return total;
}

}  // namespace willitrun
