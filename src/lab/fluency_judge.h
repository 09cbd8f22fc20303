#pragma once

#include <string_view>

#include "base/result.h"
#include "verify/fluency.h"

namespace willitrun {

/// Measures how fluent a text is, with a small judge model. Tests replace it.
class FluencyJudge {
 public:
  virtual ~FluencyJudge() = default;

  /// Unavailable when the judge cannot be had on this host: then there is no evidence, and no verdict against a model.
  virtual Result<FluencyFigures> measure(std::string_view text) = 0;
};

}  // namespace willitrun
