#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "hub/hub.h"

namespace willitrun {

/// Reads one model's description (`GET /api/models/{id}`). Fields that are missing or null keep their defaults;
/// Corruption names a field of the wrong type, an id that is none, and a commit that is none.
Result<ModelInfo> parse_model_info(std::string_view json);

/// Reads a page of a ranked list (`GET /api/models`).
Result<std::vector<ModelInfo>> parse_model_list(std::string_view json);

/// Reads a page of a file tree (`GET /api/models/{id}/tree/{revision}`); folders are left out. Corruption for a path
/// that is not safe and for a file without a proper object id.
Result<std::vector<HubFile>> parse_tree(std::string_view json);

/// Reads the commit out of a repository's description (any kind).
Result<std::string> parse_commit(std::string_view json);

/// Writes what parse_model_info reads.
std::string to_json(const ModelInfo& info);

/// Reads and writes a kept file list, in the form of huggingface_hub's (`trees/<commit>.json`, its _tree_cache.py).
Result<std::vector<HubFile>> parse_cached_tree(std::string_view json);
std::string to_cached_tree(std::span<const HubFile> files);

}  // namespace willitrun
