#include "checkpoint/weight_files.h"

#include <fmt/format.h>

#include <algorithm>

namespace willitrun {
namespace {

const ModelFile* find(const std::vector<ModelFile>& listing, std::string_view name) {
  const auto found =
      std::find_if(listing.begin(), listing.end(), [&](const ModelFile& file) { return file.name == name; });
  return found == listing.end() ? nullptr : &*found;
}

bool is_top_level_safetensors(const ModelFile& file) {
  return file.name.ends_with(".safetensors") && file.name.find('/') == std::string::npos;
}

/// Says why there is nothing to load: which other formats lie there.
std::string absence(const std::vector<ModelFile>& listing) {
  const auto any = [&](auto predicate) { return std::any_of(listing.begin(), listing.end(), predicate); };
  const auto ends = [](std::string_view suffix) {
    return [suffix](const ModelFile& f) { return f.name.ends_with(suffix); };
  };
  if (any(ends(".gguf"))) return "no safetensors weights: only GGUF files, which this plan does not read";
  if (any([](const ModelFile& f) { return f.name.ends_with(".bin") && f.name.starts_with("pytorch_model"); }))
    return "no safetensors weights: only PyTorch .bin files, whose sizes cannot be read without loading them";
  if (any(is_top_level_safetensors))
    return "no weights under a name that the loader looks for: neither model.safetensors nor an index of shards";
  return "no weights: neither model.safetensors nor model.safetensors.index.json";
}

/// Notes weight files that nothing reads: shards that the index leaves out contradict it, other files merely lie there.
void note_unread(const std::vector<ModelFile>& listing, WeightChoice& choice) {
  const bool is_sharded = choice.files.size() != 1 || choice.files[0].name != kSingleWeights;
  for (const ModelFile& file : listing) {
    if (!is_top_level_safetensors(file) || find(choice.files, file.name)) continue;
    const bool is_shard = file.name.starts_with("model-") && file.name.find("-of-") != std::string::npos;
    if (is_sharded && is_shard) {
      choice.notes.push_back(
          {PlanCode::UnusedShard, fmt::format("'{}' is never loaded: the index does not name it", file.name)});
      choice.contradiction = PlanNote{PlanCode::IndexMismatch, fmt::format("the index leaves out '{}'", file.name)};
    } else {
      choice.notes.push_back({PlanCode::StrayWeights, fmt::format("'{}' is not read by the loader", file.name)});
    }
  }
}

}  // namespace

bool needs_index(const std::vector<ModelFile>& listing) {
  return !find(listing, kSingleWeights) && find(listing, kWeightIndex);
}

Checked<WeightChoice> choose_weights(const std::vector<ModelFile>& listing, const WeightIndex* index) {
  WeightChoice choice;
  if (const ModelFile* single = find(listing, kSingleWeights)) {
    choice.files.push_back(*single);
    if (find(listing, kWeightIndex))
      choice.notes.push_back(
          {PlanCode::StrayWeights, "model.safetensors is read; the index and its shards beside it are not"});
    note_unread(listing, choice);
    return choice;
  }
  if (!index || index->files.empty()) return fault(PlanCode::NoWeights, absence(listing));
  for (const std::string& name : index->files) {
    if (const ModelFile* file = find(listing, name)) {
      choice.files.push_back(*file);
      continue;
    }
    choice.notes.push_back({PlanCode::MissingShard, fmt::format("the index names '{}', which is not there", name)});
    choice.contradiction = PlanNote{PlanCode::IndexMismatch, fmt::format("a weight file is missing: '{}'", name)};
  }
  std::sort(choice.files.begin(), choice.files.end(),
            [](const ModelFile& a, const ModelFile& b) { return a.name < b.name; });
  if (!choice.contradiction) note_unread(listing, choice);
  return choice;
}

}  // namespace willitrun
