#pragma once

#include <functional>
#include <string>

#include "lab/attempt.h"
#include "verify/classify.h"
#include "verify/report.h"

namespace willitrun {

/// What one run of a script left behind.
struct ScriptRun {
  ScriptOutcome outcome;
  RunReport report;  ///< Holds nothing but an UnreadableReport as its error when it cannot be read.

  /// It ended by itself, without an error, and with a result.
  bool is_complete() const {
    return outcome.end.succeeded() && !outcome.stopped && report.done && report.result.has_value();
  }

  /// What it complains of: the first error of its report, else its log.
  std::string complaint() const;
};

/// Hears of each mark that a running script reaches; false ends the run.
using MarkListener = std::function<bool(Mark)>;

/// Runs a script to its end and reads its report, which is also its heartbeat: silence, an endless report and an
/// interruption end the run. Its log is kept beside the report. An error means that it could not be run or watched.
Result<ScriptRun> watch_run(const Lab& lab, const Bench& bench, const ScriptJob& job, const MarkListener& on_mark);

/// What is known about a run that did not come to its own end. `during`: the step of the attempt it belongs to. The
/// facts refer to `run`.
FailureFacts facts_of(const ScriptRun& run, const ScriptJob& job, Mark during, bool sandboxed);

}  // namespace willitrun
