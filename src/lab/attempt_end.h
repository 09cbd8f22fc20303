#pragma once

#include <expected>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "domain/failure.h"
#include "domain/verdict.h"
#include "lab/executor.h"
#include "verify/classify.h"

namespace willitrun {

/// Why an attempt ended before there was anything to compare.
struct AttemptEnd {
  Verdict verdict = Verdict::Indeterminate;
  std::optional<Failure> failure;  ///< Absent only for TooLarge.
};

/// The value of one step of an attempt, or the attempt's end.
template <class T>
using Step = std::expected<T, AttemptEnd>;

/// Whose failure it is decides the verdict: the model's and the stack's are FAIL; trouble of the harness says nothing
/// about the model, and neither does a model that could not be had.
AttemptEnd end_with(Failure failure);

/// The end that an error of ours makes.
AttemptEnd end_with(const Error& error);

/// Whether trying again may help: the trouble was the harness's or the host's, and nobody asked to stop.
bool is_worth_retrying(const AttemptEnd& end);

/// What the harness measured about a run's end, in the words of `verify`. `complaint` is the run's own error text,
/// which tells a full sandbox from a full host when `host_has_room`.
ProcessEnd process_end_of(const ScriptOutcome& outcome, std::string_view complaint, bool host_has_room);

}  // namespace willitrun
