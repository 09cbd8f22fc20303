#pragma once

#include <string>

#include "domain/row.h"

namespace willitrun {

/// Writes what a model generated beside what the CPU reference generated, with the first difference marked. Empty when
/// the row has no output.
std::string output_text(const Row& row);

}  // namespace willitrun
