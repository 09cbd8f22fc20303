#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "domain/plan.h"
#include "domain/verdict.h"

namespace willitrun {

/// What is decided about a model before any attempt.
struct Standing {
  bool excluded = false;           ///< The operator decided not to test it.
  std::optional<PlanStatus> plan;  ///< Of the newest plan; nothing when none was made.
};

/// What the attempts on one (model, stack, target) say together.
struct CombinedVerdict {
  Verdict verdict = Verdict::Untested;
  std::optional<std::size_t> shown;  ///< Index of the attempt that stands for the verdict: its row is the one to show.
};

/// Combines attempts, oldest first; each is Pass, Fail or Indeterminate (others do not count).
///
/// Excluded and TooLarge are decided before any attempt. Attempts with infra trouble say nothing about the model: they
/// make INDETERMINATE only when there is no other. A pass beside a fail is FLAKY, shown by its last fail.
CombinedVerdict combine(std::span<const Verdict> attempts, const Standing& standing = {});

}  // namespace willitrun
