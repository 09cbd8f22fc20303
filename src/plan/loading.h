#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "checkpoint/checkpoint.h"
#include "plan/model_layout.h"
#include "plan/plan_table.h"

namespace willitrun {

/// Tensors of the loaded model that are alike: one name pattern, shape and dtype.
struct LoadedTensors {
  std::string name;  ///< In the model, with `*` for numbers.
  std::vector<std::uint64_t> shape;
  Dtype dtype = Dtype::BF16;
  Dtype stored_dtype = Dtype::BF16;
  std::uint64_t count = 1;
  bool is_buffer = false;

  std::uint64_t elements() const;
  std::uint64_t bytes() const;  ///< Of one.
};

/// What becomes of a checkpoint in memory, before it is spread over cores.
struct LoadedModel {
  std::vector<LoadedTensors> tensors;
  std::uint64_t unread_bytes = 0;  ///< Stored tensors that the model has no place for.
  std::uint64_t unread_count = 0;
  std::string unread_example;
  std::uint64_t beyond_layers_bytes =
      0;  ///< Of these: layers past the configured depth (multi-token prediction heads).
  std::vector<std::string> absent_layers;  ///< Layers without any tensor, in lists of which others have some.
};

/// How quantised tensors come into memory.
enum class Quantisation { None, Dequantised, Kept };

/// Follows the loader: names are converted, tensors merged, dequantised and cast to `dtype`, what has no place is left.
LoadedModel load(const Checkpoint& checkpoint, const PlanTable& table, const ModelLayout& layout, Dtype dtype,
                 Quantisation quantisation);

/// The dtype that a parameter gets: a fixed one, one kept in float32, or the model's.
Dtype loaded_dtype(const ModelLayout& layout, const std::string& name, const Registered* registered, Dtype model_dtype);

}  // namespace willitrun
