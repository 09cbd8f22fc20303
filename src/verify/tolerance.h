#pragma once

#include <span>
#include <string_view>

namespace willitrun {

/// How far two correct runs of one checkpoint may differ on a device in a dtype. All figures are relative to a step's
/// largest absolute logit, because rounding errors grow with the values.
struct Tolerance {
  std::string_view device;  ///< PyTorch device type.
  std::string_view dtype;   ///< PyTorch's name: `bfloat16`.
  double tie = 0;           ///< Two tokens whose logits lie no further apart than this are a tie.
  double rms = 0;           ///< Logits agree when the root mean square of a step's differences is at most this, ...
  double largest = 0;       ///< ... and no single one differs by more than this.
};

/// The whole table; docs/verdicts.md says where each figure comes from.
std::span<const Tolerance> tolerances();

/// The tolerance of a device and dtype; an unknown device counts as `neuron`, an unknown dtype as the coarsest one.
Tolerance tolerance_for(std::string_view device, std::string_view dtype);

}  // namespace willitrun
