#include "hub/files_to_fetch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>

namespace willitrun {
namespace {

namespace json = boost::json;

// The names that Transformers looks for (transformers/utils: SAFE_WEIGHTS_NAME, SAFE_WEIGHTS_INDEX_NAME). When a
// repository has both, the single file wins.
constexpr std::string_view kSingleFile = "model.safetensors";
constexpr std::string_view kIndexFile = "model.safetensors.index.json";

bool is_in_top_folder(std::string_view path) { return !path.contains('/'); }

/// Configuration, tokenizer and processor files go by their endings: tokenizers name their vocabularies as they like
/// (`vocab.bpe`, `qwen.tiktoken`, `spiece.model`), and these files are small.
bool is_description(std::string_view path) {
  constexpr auto kEndings = std::to_array<std::string_view>({".json", ".jinja", ".model", ".txt", ".tiktoken", ".bpe"});
  constexpr auto kNotRead = std::to_array<std::string_view>({"trainer_state.json", "requirements.txt"});
  if (path.starts_with("additional_chat_templates/")) return path.ends_with(".jinja");
  return is_in_top_folder(path) && std::ranges::any_of(kEndings, [&](auto ending) { return path.ends_with(ending); }) &&
         std::ranges::find(kNotRead, path) == kNotRead.end() && !path.ends_with(".bin.index.json");
}

}  // namespace

std::vector<HubFile> files_to_fetch(std::span<const HubFile> files, const FetchOptions& options) {
  const bool has_single_file = std::ranges::find(files, kSingleFile, &HubFile::path) != files.end();
  const auto is_weight_to_load = [&](const std::string& path) {
    if (has_single_file) return path == kSingleFile;
    return options.indexed_shards && options.indexed_shards->contains(path);
  };
  std::vector<HubFile> chosen;
  for (const HubFile& file : files)
    if (is_description(file.path) || is_weight_to_load(file.path) ||
        (options.remote_code && file.path.ends_with(".py")))
      chosen.push_back(file);
  return chosen;
}

std::optional<std::string> weight_index_of(std::span<const HubFile> files) {
  if (std::ranges::find(files, kSingleFile, &HubFile::path) != files.end()) return std::nullopt;
  if (std::ranges::find(files, kIndexFile, &HubFile::path) == files.end()) return std::nullopt;
  return std::string(kIndexFile);
}

Result<std::set<std::string>> shards_of_index(std::string_view text) {
  boost::system::error_code error;
  const json::value document = json::parse(text, error);
  const json::object* object = error ? nullptr : document.if_object();
  const json::value* map = object == nullptr ? nullptr : object->if_contains("weight_map");
  if (map == nullptr || !map->is_object())
    return fail(Code::Corruption, fmt::format("'{}' is not a weight index: it has no weight_map", kIndexFile));
  std::set<std::string> shards;
  for (const auto& [tensor, shard] : map->get_object()) {
    if (!shard.is_string() || !is_safe_path(std::string_view(shard.get_string())))
      return fail(Code::Corruption,
                  fmt::format("'{}' names no proper file for '{}'", kIndexFile, std::string_view(tensor)));
    shards.emplace(shard.get_string());
  }
  return shards;
}

}  // namespace willitrun
