#pragma once

#include "checkpoint/fault.h"
#include "checkpoint/model_config.h"

namespace willitrun {

/// Checks the fields of a config.json from which sizes follow, in every part of it: what is no whole number of a
/// believable size is `bad_config`, as the library's own classes refuse it. Absent and null fields have defaults, and
/// some fields may be lists, one number for each layer.
Checked<void> check_config(const ModelConfig& config);

}  // namespace willitrun
