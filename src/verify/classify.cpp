// From everything that is known about a failed attempt to one word. The sources are asked in the order in which they
// can be trusted:
//
//   1. limits that the harness itself enforced and measured
//   2. the first error event: the exception that ended the run, in its own words
//   3. the log, for what the event only hints at (`compilation failed`), or when a run died without an event
//   4. how the process ended: by the clock, by a signal
//   5. the mark it had reached, which at least gives the stage
//
// A log is never asked against an event that speaks for itself: logs hold retries, optional imports and other people's
// warnings. What the host lacks is infra at every step, also where the words would fit a model.

#include "verify/classify.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "verify/rule_book.h"
#include "verify/signature.h"

namespace willitrun {
namespace {

constexpr std::string_view kBuiltins = "builtins.";  // the module of Python's own exceptions, which people leave out
constexpr int kFirstSignalStatus = 128;  // a shell's and run.py's exit status for death by signal N is 128 + N

/// The class of an unexplained failure in the stage that a mark begins.
std::string_view unexplained_class(Mark mark) {
  switch (mark) {
    case Mark::Download: return "network";
    case Mark::Config: return "bad_config";
    case Mark::Reference: return "reference_failed";
    case Mark::Load: return "load_error";
    case Mark::Shard: return "shard_error";
    case Mark::Compile: return "compile_error";
    case Mark::Generate: return "runtime_error";
    // Before the model is touched, and after it is done, only the harness and the host are at work.
    case Mark::Resolve:
    case Mark::Place:
    case Mark::Compare:
    case Mark::Done: return "harness_error";
  }
  return "harness_error";
}

bool is_before_model(std::optional<Mark> mark) { return mark && *mark <= Mark::Place && *mark != Mark::Reference; }

/// A failed attempt's facts with what several steps need of them.
class Classifier {
 public:
  explicit Classifier(const FailureFacts& facts) : facts_(facts), log_(facts.log), mark_(facts.mark) {
    if (log_.contains('\x1b')) log_ = plain_log_ = without_terminal_codes(log_);
    if (facts.report != nullptr) read_report(*facts.report);
    around_.mark = mark_;
    around_.is_offline = facts.sandboxed;
    around_.is_own_run = facts.report != nullptr || facts.mark;
  }

  Failure run() const {
    if (auto limit = enforced_limit()) return *limit;
    const bool speaks = error_ != nullptr && error_->type != "RankDied";
    Failure failure = speaks ? from_event() : from_silence();
    return seen_from_outside(std::move(failure));
  }

 private:
  void read_report(const RunReport& report) {
    error_ = first_cause(report);
    if (error_ != nullptr) around_.traceback = error_->traceback;
    if (report.start) around_.sharded = report.start->mode != Mode::Single;
    if (const auto reached = report.reached(); reached && mark_ != Mark::Reference) mark_ = reached;
  }

  /// A rank that loses its peer may complain before anybody has noticed that the peer died: the first error that is
  /// not such an echo, or else the first.
  static const ReportError* first_cause(const RunReport& report) {
    if (report.errors.empty()) return nullptr;
    const auto cause = std::ranges::find_if_not(
        report.errors, [](const ReportError& error) { return error.message.contains("by peer"); });
    return cause != report.errors.end() ? &*cause : &report.errors.front();
  }

  std::optional<Failure> enforced_limit() const {
    switch (facts_.end.stop) {
      case Stop::MemoryLimit: {
        const auto compiler = match_log();
        if (compiler && compiler->failure_class == "compiler_host_oom") return from(*compiler);
        return make_failure("killed_for_memory", {}, "killed for reaching the memory limit of the attempt");
      }
      case Stop::ProcessLimit:
        return make_failure("limit_exceeded", {"processes"}, "reached the limit on processes of the attempt");
      case Stop::WriteLimit:
        return make_failure("limit_exceeded", {"written_bytes"}, "reached the limit on written bytes of the attempt");
      case Stop::Cancelled: return make_failure("process_killed", {"cancelled"}, "stopped by the operator");
      default: return std::nullopt;
    }
  }

  Failure from_event() const {
    const std::string_view type = error_->type;
    const std::string headline =
        fmt::format("{}: {}", type.substr(type.starts_with(kBuiltins) ? kBuiltins.size() : 0), error_->message);
    auto match = failure_rule_book().first_match(headline, Lines::All, around_);
    if (!match || match->kind != RuleKind::Cause) {
      const auto deeper = failure_rule_book().first_match(error_->traceback, Lines::All, around_);
      if (deeper && deeper->kind == RuleKind::Cause) return from(*deeper);
    }
    if (match && match->kind == RuleKind::Cause) return from(*match);
    if (match) {
      const auto log = match_log();
      return from(log && log->kind == RuleKind::Cause ? *log : *match);
    }
    return unexplained(headline);
  }

  /// No rank wrote what happened to it: it died by a signal, was ended by the harness, or never came to its report.
  Failure from_silence() const {
    const auto match = match_log();
    std::optional<Failure> ended = from_end();
    const bool is_cause = match && match->kind == RuleKind::Cause;
    // Words such as "Segmentation fault" tell less than the signal itself.
    const bool only_says_crash = is_cause && from(*match).signature == "crash";
    if (is_cause && !(only_says_crash && ended)) return from(*match);
    if (ended) return *ended;
    if (match) return from(*match);
    return unexplained(last_words());
  }

  std::optional<Failure> from_end() const {
    const bool compiling = mark_ == Mark::Compile && has_compiler();
    const std::string where = mark_ ? fmt::format(" in stage {}", to_text(*mark_)) : "";
    if (facts_.end.stop == Stop::WallLimit || facts_.end.stop == Stop::NoProgress) {
      const bool wall = facts_.end.stop == Stop::WallLimit;
      const std::string message = (wall ? "the attempt's time was up" : "no progress within the stage's limit") + where;
      if (is_before_model(mark_)) return make_failure("harness_error", {"timeout"}, message);
      if (mark_ == Mark::Reference) return make_failure("reference_failed", {"timeout"}, message);
      return make_failure(compiling ? "compile_timeout" : wall ? "timeout" : "hang", {}, message);
    }
    const auto signal = signal_name();
    if (!signal) return std::nullopt;
    const std::string message = fmt::format("ended by {}{}", *signal, where);
    if (*signal == "SIGKILL" || *signal == "SIGTERM" || *signal == "SIGINT" || *signal == "SIGHUP")
      return make_failure("process_killed", {*signal}, message);
    if (*signal == "SIGXCPU" || *signal == "SIGXFSZ") return make_failure("limit_exceeded", {*signal}, message);
    if (is_before_model(mark_)) return make_failure("harness_error", {*signal}, message);
    if (mark_ == Mark::Reference) return make_failure("reference_failed", {*signal}, message);
    return make_failure(compiling ? "compiler_crash" : "crash", {*signal}, message);
  }

  /// Tells whether a compiler outside of PyTorch takes part, so that a crash while compiling may be its own.
  bool has_compiler() const {
    return facts_.report != nullptr && facts_.report->start && facts_.report->start->backend == "neuron";
  }

  std::optional<std::string> signal_name() const {
    if (error_ != nullptr && error_->signal) return error_->signal;
    if (facts_.end.signal) return name_of_signal(*facts_.end.signal);
    if (facts_.end.exit_code > kFirstSignalStatus) return name_of_signal(*facts_.end.exit_code - kFirstSignalStatus);
    return std::nullopt;
  }

  static std::string name_of_signal(int number) {
    // Linux numbers on the architectures that Neuron hosts have (x86-64, arm64).
    constexpr std::array<std::string_view, 26> kNames = {
        "",        "SIGHUP",  "SIGINT",  "SIGQUIT", "SIGILL",  "SIGTRAP", "SIGABRT", "SIGBUS", "SIGFPE",
        "SIGKILL", "SIGUSR1", "SIGSEGV", "SIGUSR2", "SIGPIPE", "SIGALRM", "SIGTERM", "",       "SIGCHLD",
        "SIGCONT", "SIGSTOP", "SIGTSTP", "SIGTTIN", "SIGTTOU", "SIGURG",  "SIGXCPU", "SIGXFSZ"};
    const auto place = static_cast<std::size_t>(number);
    if (place < kNames.size() && !kNames[place].empty()) return std::string(kNames[place]);
    return fmt::format("signal {}", number);
  }

  /// Corrects the class by what the words alone cannot know: where it happened.
  Failure seen_from_outside(Failure failure) const {
    const bool reached_out = failure.kind.name == "network" || failure.kind.name == "rate_limited";
    // Inside the sandbox there is no network to fail: reaching for it is what the model did.
    if (facts_.sandboxed && reached_out) return make_failure("limit_exceeded", {"network"}, std::move(failure.message));
    // In this stage nothing of the model has been touched yet.
    if (mark_ != Mark::Place || failure.kind.charged_to != ChargedTo::Model) return failure;
    if (failure.kind.name == "missing_dependency")
      return make_failure("missing_package", {failure.signature.substr(failure.signature.find(':') + 1)},
                          std::move(failure.message));
    return make_failure("harness_error", {failure.signature}, std::move(failure.message));
  }

  std::optional<RuleMatch> match_log() const {
    const RuleBook& book = failure_rule_book();
    const auto match = book.first_match(log_, Lines::NoWarnings, around_);
    if (match && is_often_overcome(match->failure_class)) {
      const auto end = book.first_match(last_exception(), Lines::All, around_);
      if (end && end->kind == RuleKind::Cause && end->failure_class != "worker_lost") return end;
    }
    if (around_.is_own_run || (match && match->kind <= RuleKind::Prose)) return match;
    // An excerpt that somebody chose to show may hold nothing but the warning.
    return book.first_match(log_, Lines::All, around_);
  }

  /// Tells whether runs go on after it more often than they end of it: a retry, an optional import.
  static bool is_often_overcome(std::string_view failure_class) {
    constexpr auto kOvercome = std::to_array<std::string_view>(
        {"network", "rate_limited", "missing_dependency", "missing_package", "library_mismatch"});
    return std::ranges::find(kOvercome, failure_class) != kOvercome.end();
  }

  static Failure from(const RuleMatch& match) {
    return make_failure(match.failure_class, match.details, message_of(match.line));
  }

  Failure unexplained(std::string_view words) const {
    const std::string message = message_of(words.substr(0, words.find('\n')));
    const std::string_view failure_class = mark_ ? unexplained_class(*mark_) : "runtime_error";
    if (message.empty()) return make_failure(failure_class, {}, "it failed without a word");
    return make_failure(failure_class, {message}, message);
  }

  /// The last line of the log that looks like an exception; empty when there is none.
  std::string_view last_exception() const {
    return last_line([](std::string_view line) { return line.contains("Error: ") || line.contains("Exception: "); });
  }

  std::string_view last_words() const {
    const std::string_view exception = last_exception();
    return !exception.empty() ? exception : last_line([](std::string_view line) { return !line.empty(); });
  }

  template <class Fits>
  std::string_view last_line(Fits fits) const {
    std::string_view last;
    for (std::string_view line : split(log_.substr(log_.size() - std::min(log_.size(), kTail)), '\n')) {
      line = trim(line);
      if (fits(line)) last = line;
    }
    return last;
  }

  static constexpr std::size_t kTail = 64 * 1024;  // the end of a log is where the last words are

  const FailureFacts& facts_;
  std::string plain_log_;  ///< Of a log that holds terminal codes, without them.
  std::string_view log_;
  const ReportError* error_ = nullptr;
  Surroundings around_;
  std::optional<Mark> mark_;
};

}  // namespace

Failure classify(const FailureFacts& facts) { return Classifier(facts).run(); }

}  // namespace willitrun
