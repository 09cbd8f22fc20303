#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "checkpoint/checkpoint.h"

namespace willitrun {

/// Tensors whose names differ only in numbers and whose dtype and shape are equal. A model of 90,000 tensors has about
/// a hundred such groups, so whatever is decided per name is decided once per group.
struct TensorGroup {
  /// The name with stand-ins for the numbers that vary: stand-in i is stand_in(i). Numbers that take only small values
  /// stay as they are, because conversions may single them out (`proj.0.weight`).
  std::string name;
  Dtype dtype = Dtype::F32;
  std::vector<std::uint64_t> shape;
  std::vector<std::vector<std::uint32_t>> numbers;  ///< For each tensor, the numbers that the stand-ins hide.
};

/// The text that stands for the i-th varying number: digits that no real name has.
std::string stand_in(std::size_t index);

/// Groups the tensors that the loader would read.
std::vector<TensorGroup> group_tensors(const Checkpoint& checkpoint);

/// The stand-ins that occur in `name`, in order.
std::vector<std::size_t> stand_ins_in(const std::string& name, std::size_t count);

}  // namespace willitrun
