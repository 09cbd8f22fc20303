#include "lab/script_run.h"

#include <fmt/format.h>

#include <filesystem>

#include "lab/attempt_end.h"
#include "lab/reference_cache.h"
#include "lab/report_watch.h"
#include "os/clock.h"
#include "os/file.h"

namespace willitrun {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLogFile = "run.log";
constexpr std::uint64_t kLargestReport = 32 << 20;
constexpr std::uint64_t kRoomOfAHealthyHost = 256 << 20;

/// Looks after a run while it goes on.
class Watcher {
 public:
  Watcher(const Lab& lab, double silence_s, const ScriptJob& job, const MarkListener& on_mark)
      : lab_(lab), silence_s_(silence_s), report_(job.folder / kReportFile), on_mark_(on_mark) {}

  /// Hands on new marks; a reason ends the run.
  std::optional<StopReason> look() {
    lab_.progress.on_wait();
    if (lab_.stop) return StopReason::Interrupted;
    const ReportWatch::News news = report_.look();
    const double now_s = system_clock().monotonic_s();
    if (news.grew) last_sign_s_ = now_s;
    if (news.size_bytes > kLargestReport) return StopReason::OutputLimit;
    for (const Mark mark : news.entered)
      if (!on_mark_(mark)) return StopReason::Interrupted;
    return now_s - last_sign_s_ > silence_s_ ? std::optional(StopReason::Silence) : std::nullopt;
  }

 private:
  const Lab& lab_;
  double silence_s_;
  ReportWatch report_;
  const MarkListener& on_mark_;
  double last_sign_s_ = system_clock().monotonic_s();
};

}  // namespace

std::string ScriptRun::complaint() const {
  if (report.errors.empty()) return outcome.log;
  const ReportError& error = report.errors.front();
  return fmt::format("{}: {}\n{}", error.type, error.message, error.traceback);
}

Result<ScriptRun> watch_run(const Lab& lab, const Bench& bench, const ScriptJob& job, const MarkListener& on_mark) {
  Watcher watcher(lab, bench.silence_s, job, on_mark);
  ScriptRun run;
  ASSIGN_OR_RETURN(run.outcome, lab.executor.run(job, [&] { return watcher.look(); }));
  watcher.look();  // Marks that came between the last look and the end.
  RETURN_IF_ERROR(write_file_atomically(job.folder / kLogFile, run.outcome.log));
  const auto text = read_file(job.folder / kReportFile, kLargestReport);
  if (!text) return run;
  auto report = parse_report(*text);
  if (report) {
    run.report = std::move(*report);
  } else {
    run.report.errors.push_back({.type = "UnreadableReport", .message = report.error().message, .traceback = {}});
  }
  return run;
}

FailureFacts facts_of(const ScriptRun& run, const ScriptJob& job, Mark during, bool sandboxed) {
  std::error_code error;
  const fs::space_info space = fs::space(job.folder, error);
  const bool host_has_room = !error && space.available > kRoomOfAHealthyHost;
  return {.log = run.outcome.log,
          .report = &run.report,
          .end = process_end_of(run.outcome, run.complaint(), host_has_room),
          .mark = during,
          .sandboxed = sandboxed};
}

}  // namespace willitrun
