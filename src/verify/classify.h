#pragma once

#include <optional>
#include <string_view>

#include "base/result.h"
#include "domain/failure.h"
#include "domain/plan.h"
#include "verify/report.h"

namespace willitrun {

/// Why the harness ended a process, if it did.
enum class Stop {
  None,          ///< It ended by itself.
  WallLimit,     ///< The attempt's time was up.
  NoProgress,    ///< No new mark within the stage's limit.
  MemoryLimit,   ///< It, or a child, was killed for reaching the attempt's own memory limit.
  ProcessLimit,  ///< It reached the limit on processes.
  WriteLimit,    ///< It reached the limit on written bytes.
  Cancelled,     ///< The operator stopped the campaign.
};

/// How a run's process ended.
struct ProcessEnd {
  Stop stop = Stop::None;
  std::optional<int> exit_code;
  std::optional<int> signal;  ///< Number; of the process itself.
};

/// Everything that is known about a failed attempt.
struct FailureFacts {
  std::string_view log;               ///< Standard output and error.
  const RunReport* report = nullptr;  ///< May be null: no report was written.
  ProcessEnd end;
  std::optional<Mark> mark;  ///< The harness's own last mark; that of the report is finer and comes first.
  bool sandboxed = false;    ///< Without a network by design, so that reaching for it is the model's doing.
};

/// Says what a failure is, by the rules of failure_rules.txt, first match wins. Sources in this order: limits that the
/// harness measured, the report's first error, the log, how the process ended, and at last the mark it had reached.
/// Linear in the log's length (docs/failures.md has the speed).
Failure classify(const FailureFacts& facts);

/// Says why a plan that does not fit is a failure; nothing for a plan that fits or is TOO_LARGE.
std::optional<Failure> failure_of(const Plan& plan);

/// Says what an error of the hub or the harness means for the attempt that met it.
Failure failure_of(const Error& error);

}  // namespace willitrun
