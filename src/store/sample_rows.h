#pragma once

#include <cstdint>

#include "domain/row.h"

namespace willitrun {

/// A row for tests with a value in every column, awkward ones where the type has any.
Row row_with_every_column();

/// A row for tests with random columns present and random values in them: the same for the same seed.
Row random_row(std::uint64_t seed);

}  // namespace willitrun
