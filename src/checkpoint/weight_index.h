#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "checkpoint/fault.h"

namespace willitrun {

/// One line of a weight index: which file holds a tensor.
struct IndexEntry {
  std::string_view tensor;
  std::uint32_t file = 0;  ///< Index into WeightIndex::files.
};

/// A `model.safetensors.index.json`. Movable, not copyable: entries point into `text`.
struct WeightIndex {
  std::unique_ptr<const std::string> text;
  std::vector<IndexEntry> entries;
  std::vector<std::string> files;                    ///< In the order in which the index first names them.
  std::optional<std::uint64_t> declared_bytes;       ///< metadata.total_size
  std::optional<std::uint64_t> declared_parameters;  ///< metadata.total_parameters
  std::vector<std::string> unescaped;
};

/// Reads an index: `index_mismatch` when it is no index, `unsafe_path` when it names a file outside the model's folder.
Checked<WeightIndex> parse_weight_index(std::string text);

/// Tells whether a file name stays inside the folder that it is resolved in.
bool stays_inside(std::string_view name);

}  // namespace willitrun
