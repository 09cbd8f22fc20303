#include "lab/attempt_end.h"

#include <csignal>

namespace willitrun {
namespace {

bool says_disk_is_full(std::string_view complaint) {
  return complaint.contains("No space left on device") || complaint.contains("[Errno 28]") ||
         complaint.contains("File too large") || complaint.contains("[Errno 27]");
}

Stop stop_of(const ScriptOutcome& outcome, std::string_view complaint, bool host_has_room) {
  if (outcome.stopped == StopReason::Interrupted) return Stop::Cancelled;
  if (outcome.end.succeeded()) return Stop::None;
  if (outcome.num_memory_kills > 0) return Stop::MemoryLimit;
  if (outcome.num_refused_forks > 0) return Stop::ProcessLimit;
  if (outcome.stopped == StopReason::OutputLimit) return Stop::WriteLimit;
  if (outcome.stopped == StopReason::TimeLimit) return Stop::WallLimit;
  if (outcome.stopped == StopReason::Silence) return Stop::NoProgress;
  if (host_has_room && (outcome.end.signal == SIGXFSZ || says_disk_is_full(complaint))) return Stop::WriteLimit;
  return Stop::None;
}

}  // namespace

AttemptEnd end_with(Failure failure) {
  const bool could_not_be_had = failure.kind.name == "gated_repo" || failure.kind.name == "repo_not_found";
  const bool says_nothing = failure.kind.charged_to == ChargedTo::Infra || could_not_be_had;
  return {says_nothing ? Verdict::Indeterminate : Verdict::Fail, std::move(failure)};
}

AttemptEnd end_with(const Error& error) { return end_with(failure_of(error)); }

bool is_worth_retrying(const AttemptEnd& end) {
  return end.failure && end.failure->kind.charged_to == ChargedTo::Infra &&
         !end.failure->signature.contains("cancelled");
}

ProcessEnd process_end_of(const ScriptOutcome& outcome, std::string_view complaint, bool host_has_room) {
  return {.stop = stop_of(outcome, complaint, host_has_room),
          .exit_code = outcome.end.status,
          .signal = outcome.end.signal};
}

}  // namespace willitrun
