#include "cli/listing_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "os/file.h"
#include "selection/listing_file.h"
#include "selection/selection.h"

namespace willitrun {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMirrorListing = "listing.jsonl";

/// When a file was last written.
Result<Time> written_at(const fs::path& path) {
  std::error_code error;
  const auto time = fs::last_write_time(path, error);
  if (error) return fail(Code::Io, fmt::format("cannot look at '{}': {}", path.string(), error.message()));
  return std::chrono::floor<std::chrono::milliseconds>(std::chrono::file_clock::to_sys(time));
}

bool is_listing(const fs::path& path) {
  const std::string name = path.filename().string();
  return name == kMirrorListing || parse_listing_file_name(name);
}

Result<Listing> read_listing(const fs::path& path) {
  Listing listing;
  const auto name = parse_listing_file_name(path.filename().string());
  listing.source =
      name ? fmt::format("{}_{}", name->source, name->task.empty() ? "models" : name->task) : path.string();
  if (name) {
    listing.taken_at = name->date;
  } else {
    ASSIGN_OR_RETURN(listing.taken_at, written_at(path));
  }
  ASSIGN_OR_RETURN(const std::string text, read_file(path));
  const bool is_tsv = name && !name->task.empty();
  auto models = is_tsv ? parse_tsv_listing(text, name->task) : parse_jsonl_listing(text);
  if (!models) return fail(with_context(models.error(), path.string()));
  listing.models = std::move(*models);
  rank_models(listing.models);
  return listing;
}

std::vector<std::string> formats_of(const ModelInfo& info) {
  std::vector<std::string> formats;
  for (const char* format : {"safetensors", "gguf", "onnx", "pytorch", "mlx"})
    if (std::ranges::find(info.tags, format) != info.tags.end()) formats.emplace_back(format);
  return formats;
}

std::string license_of(const ModelInfo& info) {
  constexpr std::string_view kPrefix = "license:";
  for (const std::string& tag : info.tags)
    if (tag.starts_with(kPrefix)) return tag.substr(kPrefix.size());
  return "";
}

RankedModel to_ranked(const ModelInfo& info, const std::string& task) {
  RankedModel model;
  model.id = info.id;
  model.task = info.pipeline_tag.empty() ? task : info.pipeline_tag;
  model.library = info.library_name;
  model.license = license_of(info);
  model.formats = formats_of(info);
  model.downloads = info.downloads;
  model.likes = info.likes;
  model.trending_score = info.trending_score;
  model.gated = info.gated != Gate::None;
  model.local = info.is_local;
  return model;
}

using Models = std::map<std::string, RankedModel>;

/// Adds one of the Hub's lists; its order gives the places, except to local models.
Status add_list(Hub& hub, const ModelQuery& query, std::optional<std::int32_t> RankedModel::* rank, Models& models) {
  ASSIGN_OR_RETURN(const auto list, hub.list_models(query));
  std::int32_t place = 0;
  for (const ModelInfo& info : list) {
    RankedModel& model = models.try_emplace(info.id, to_ranked(info, query.task)).first->second;
    if (!model.local && model.task == query.task) model.*rank = ++place;
  }
  return {};
}

}  // namespace

Result<std::vector<Listing>> read_local_listings(const fs::path& path) {
  std::error_code error;
  std::vector<fs::path> files;
  if (fs::is_directory(path, error)) {
    ASSIGN_OR_RETURN(const auto names, list_folder(path));
    for (const std::string& name : names)
      if (is_listing(name)) files.push_back(path / name);
  } else if (is_listing(path)) {
    files.push_back(path);
  }
  if (files.empty())
    return fail(Code::NotFound, fmt::format("'{}' holds no ranked list: they are named <source>_<task>_<date>.tsv, "
                                            "<source>_models_<date>.jsonl or listing.jsonl",
                                            path.string()));
  std::vector<Listing> listings;
  for (const fs::path& file : files) {
    ASSIGN_OR_RETURN(listings.emplace_back(), read_listing(file));
  }
  return listings;
}

Result<Listing> read_hub_listing(Hub& hub, const std::vector<std::string>& tasks, int limit, const Clock& clock) {
  Listing listing;
  listing.source = "hub";
  listing.taken_at = clock.now();
  Models models;
  for (const std::string& task : tasks) {
    RETURN_IF_ERROR(add_list(hub, {task, ModelSort::Downloads, limit}, &RankedModel::downloads_rank, models));
    RETURN_IF_ERROR(add_list(hub, {task, ModelSort::Trending, limit}, &RankedModel::trending_rank, models));
  }
  for (auto& [id, model] : models) listing.models.push_back(std::move(model));
  return listing;
}

}  // namespace willitrun
