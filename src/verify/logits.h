#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "verify/report.h"

namespace willitrun {

/// Raw logits, one row per generated token.
struct Logits {
  std::size_t steps = 0, vocabulary = 0;
  std::vector<float> values;  ///< steps x vocabulary, row by row.

  std::span<const float> row(std::size_t step) const {
    return std::span(values).subspan(step * vocabulary, vocabulary);
  }
};

/// Reads a NumPy file (format 1.0) of little-endian float32 in C order with two dimensions: what `run.py --logits`
/// writes. Anything else, also a length that does not fit the shape, is Corruption.
Result<Logits> parse_logits(std::string_view npy);

/// The two likeliest tokens of a row of at least two logits. Of equal logits the lowest id wins, on every device; a row
/// with a NaN has no likeliest token.
std::optional<TopTwo> top_two(std::span<const float> row);

}  // namespace willitrun
