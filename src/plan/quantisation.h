#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "checkpoint/checkpoint.h"

namespace willitrun {

/// How a checkpoint says that its weights are quantised.
struct QuantisationClaim {
  std::string method;  ///< The library's name: `gptq`, `fp8`, `bitsandbytes_4bit`, `compressed-tensors`, ...
  int bits = 0;        ///< Bits of one packed weight; 0 when the configuration does not say.
};

/// Reads `quantization_config` wherever configurations keep it; nothing when the weights are plain.
std::optional<QuantisationClaim> quantisation_of(const ModelConfig& config);

/// Counts the logical parameters of packed weights: packed words hold several, scales and tables hold none. The rules
/// are those of the formats (GPTQ, AWQ, compressed-tensors, MXFP4, bitsandbytes, 8-bit floats with scales). Without a
/// claim every element is a parameter.
std::uint64_t logical_parameters(const Checkpoint& checkpoint, const std::optional<QuantisationClaim>& claim);

}  // namespace willitrun
