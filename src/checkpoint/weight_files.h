#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checkpoint/fault.h"
#include "checkpoint/model_files.h"
#include "checkpoint/weight_index.h"

namespace willitrun {

/// The name under which a whole model lies in one file, and that of the list of its shards.
inline constexpr std::string_view kSingleWeights = "model.safetensors";
inline constexpr std::string_view kWeightIndex = "model.safetensors.index.json";

/// Which weight files the loader reads.
struct WeightChoice {
  std::vector<ModelFile> files;
  std::optional<PlanNote> contradiction;
  std::vector<PlanNote> notes;
};

/// Tells whether the listing has an index that the loader would follow: it prefers a single file (transformers,
/// modeling_utils.py, _get_resolved_checkpoint_files).
bool needs_index(const std::vector<ModelFile>& listing);

/// Chooses among the listed files. `no_weights` says which old formats there are instead.
Checked<WeightChoice> choose_weights(const std::vector<ModelFile>& listing, const WeightIndex* index);

}  // namespace willitrun
