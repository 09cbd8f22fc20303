#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lookup/bitmap.h"

namespace willitrun {

/// The places whose code is accepted (`accept[code]` is not 0). Few accepted codes are compared 16 places at a time.
Bitmap where_accepted(std::span<const std::uint8_t> codes, const std::vector<std::uint8_t>& accept);

}  // namespace willitrun
