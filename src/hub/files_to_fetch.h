#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "hub/hub.h"

namespace willitrun {

/// What decides which files of a repository a run needs.
struct FetchOptions {
  bool remote_code = false;  ///< Whether the model's own Python files may be fetched.

  /// The shards that the weight index names; nothing when the repository has none, or a `model.safetensors`, which
  /// wins.
  std::optional<std::set<std::string>> indexed_shards;
};

/// Chooses the files that Transformers reads in a run: configuration, tokenizer, chat template and processor files, and
/// safetensors weights of the top folder. Weights in other formats, images, documents and nested copies are left out.
std::vector<HubFile> files_to_fetch(std::span<const HubFile> files, const FetchOptions& options);

/// The name of the weight index among `files`, if there is one.
std::optional<std::string> weight_index_of(std::span<const HubFile> files);

/// Reads the shard names out of a weight index (`model.safetensors.index.json`). Corruption when it is none, or names
/// an unsafe path.
Result<std::set<std::string>> shards_of_index(std::string_view json);

}  // namespace willitrun
