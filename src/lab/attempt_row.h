#pragma once

#include <vector>

#include "domain/plan.h"
#include "domain/row.h"
#include "domain/target.h"
#include "lab/attempt.h"
#include "lab/attempt_end.h"
#include "verify/judgement.h"
#include "verify/report.h"

namespace willitrun {

// What each step of an attempt writes into its row. Pure.

/// The plan: task, architecture, mode, cores, planned bytes.
void set_plan(Row& row, const Plan& plan, const Target& target);

/// What the run may use, and what holds it to that: `19.2 GiB of memory, ...; memory: control group; ...`.
void set_limits(Row& row, const Bench& bench, std::string_view guards);

/// How the script's process ended and how long it took.
void set_outcome(Row& row, const ScriptOutcome& outcome);

/// What the script measured and generated.
void set_result(Row& row, const ReportResult& result);

/// What the comparison found.
void set_judgement(Row& row, const Judgement& judgement);

/// Verdict and failure of an attempt that ended before any comparison. `details` is the failure's text at length:
/// traceback or log; its middle is left out when it is long.
void set_end(Row& row, const AttemptEnd& end, std::string_view details);

/// What finished attempts of one (model, stack, target), oldest first and at least one, say together: the journal's
/// VerdictRule.
Row verdict_of_attempts(const std::vector<Row>& attempts);

}  // namespace willitrun
