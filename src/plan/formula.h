#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace willitrun {

/// A field of a configuration or a number, then steps: `/field`, `/2` (floor division), `^2` (rounded up), `*field`, or
/// `*rope` and
/// `*rope.<layer type>` (times the partial rotary factor, truncated).
struct Factor {
  std::variant<std::int64_t, std::string> base;
  std::vector<std::string> steps;
};

using Product = std::vector<Factor>;

/// How a size follows from a configuration: a sum of products (docs/formats/plan_table.md).
using Formula = std::vector<Product>;

}  // namespace willitrun
