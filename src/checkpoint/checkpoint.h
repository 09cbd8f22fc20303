#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "checkpoint/header.h"
#include "checkpoint/model_config.h"
#include "checkpoint/model_files.h"

namespace willitrun {

/// One weight file with its checked header.
struct Shard {
  std::string name;
  Header header;
};

/// What a model is, in numbers: its configuration and every tensor that the loader would read. Movable, not copyable.
struct Checkpoint {
  explicit Checkpoint(ModelConfig model_config) : config(std::move(model_config)) {}

  ModelConfig config;
  std::vector<Shard> shards;  ///< The weight files that the loader reads, in the order that it reads them.
  std::vector<const TensorInfo*> duplicates;         ///< Tensors that a later shard replaces: stored, but not loaded.
  std::uint64_t stored_bytes = 0;                    ///< Bytes of all tensors in `shards`.
  std::optional<std::uint64_t> declared_parameters;  ///< What the index says, right or wrong.
  std::optional<PlanNote> contradiction;  ///< Index and shards do not agree; the numbers are those of the shards.
  std::vector<PlanNote> notes;
};

/// Reads a model: the listing, config.json, the index and the headers of the weight files, and nothing else. The outer
/// Result fails when files could not be had; the inner Checked when they are wrong.
Result<Checked<Checkpoint>> read_checkpoint(ModelFiles& files);

}  // namespace willitrun
