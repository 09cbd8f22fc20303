#pragma once

#include <span>
#include <string_view>

namespace willitrun {

/// How far two correct runs of one checkpoint may differ on a device in a dtype, relative to the row's largest absolute
/// logit. Two tokens whose logits lie closer than that are a tie.
struct Tolerance {
  std::string_view device;  ///< PyTorch device type.
  std::string_view dtype;   ///< PyTorch's name: `bfloat16`.
  double relative = 0;

  /// The largest difference allowed in a row whose largest absolute logit is `scale`.
  double absolute(double scale) const { return relative * (scale > 1 ? scale : 1); }
};

/// The whole table; docs/verdicts.md says where each figure comes from.
std::span<const Tolerance> tolerances();

/// The tolerance of a device and dtype; an unknown device counts as `neuron`, an unknown dtype as the coarsest one.
Tolerance tolerance_for(std::string_view device, std::string_view dtype);

}  // namespace willitrun
