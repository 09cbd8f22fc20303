#include "os/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>
#include <utility>

#include "base/text.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/home.h"
#include "os/process_keeper.h"

namespace willitrun {
namespace {

namespace fs = std::filesystem;

struct Pipe {
  FileDescriptor reading, writing;
};

/// Moves a descriptor above the three standard ones: the keeper may overwrite those.
FileDescriptor above_standard(int fd) {
  if (fd > STDERR_FILENO) return FileDescriptor(fd);
  FileDescriptor low(fd);
  return FileDescriptor(::fcntl(low.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
}

Result<Pipe> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return fail(errno_error("cannot make a pipe for", "a process"));
  return Pipe{above_standard(ends[0]), above_standard(ends[1])};
}

Result<FileDescriptor> open_nothing() {
  const int fd = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return fail(errno_error("cannot open", "/dev/null"));
  return above_standard(fd);
}

std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<KernelLimit> kernel_limits(const ResourceLimits& limits) {
  std::vector<KernelLimit> all = {{RLIMIT_CORE, 0}};
  if (limits.file_bytes) all.push_back({RLIMIT_FSIZE, *limits.file_bytes});
  if (limits.data_bytes) all.push_back({RLIMIT_DATA, *limits.data_bytes});
  if (limits.processes) all.push_back({RLIMIT_NPROC, *limits.processes});
  return all;
}

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

ProcessExit end_of(const KeeperReport& report) {
  ProcessExit end;
  if (WIFEXITED(report.wait_status)) end.status = WEXITSTATUS(report.wait_status);
  if (WIFSIGNALED(report.wait_status)) {
    end.signal = WTERMSIG(report.wait_status);
    end.core_dumped = WCOREDUMP(report.wait_status);
  }
  end.cpu_s = seconds_of(report.usage.ru_utime) + seconds_of(report.usage.ru_stime);
  end.peak_rss_bytes = static_cast<std::uint64_t>(report.usage.ru_maxrss) * 1024;
  return end;
}

/// Reads exactly one record of type T. Nothing when the pipe ended before it.
template <class T>
std::optional<T> read_record(int fd) {
  T record;
  std::size_t have = 0;
  while (have < sizeof record) {
    const ssize_t got = ::read(fd, reinterpret_cast<char*>(&record) + have, sizeof record - have);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return std::nullopt;
    have += static_cast<std::size_t>(got);
  }
  return record;
}

Error start_error(const StartFailure& failure, const ProcessSpec& spec) {
  errno = failure.error;
  switch (failure.step) {
    case StartFailure::Step::Cgroup: return errno_error("cannot join the control group of", spec.argv[0]);
    case StartFailure::Step::Folder: return errno_error("cannot enter", spec.folder);
    case StartFailure::Step::Limit: return errno_error("cannot set the limits of", spec.argv[0]);
    case StartFailure::Step::Execute: return errno_error("cannot execute", spec.argv[0]);
  }
  return Error{Code::Internal, "unknown step of a process start"};
}

}  // namespace

Result<ChildProcess> ChildProcess::start(const ProcessSpec& spec) {
  ASSIGN_OR_RETURN(Pipe output, make_pipe());
  ASSIGN_OR_RETURN(Pipe error, make_pipe());
  ASSIGN_OR_RETURN(Pipe lifeline, make_pipe());
  ASSIGN_OR_RETURN(Pipe report, make_pipe());
  ASSIGN_OR_RETURN(Pipe start, make_pipe());
  Pipe input;
  if (spec.input_from_pipe) {
    ASSIGN_OR_RETURN(input, make_pipe());
  } else {
    ASSIGN_OR_RETURN(input.reading, open_nothing());
  }
  const auto argv = pointers_to(spec.argv);
  const auto environment = pointers_to(spec.environment);
  const auto limits = kernel_limits(spec.limits);
  std::vector<std::string> cgroup_files;
  for (const fs::path& group : spec.cgroups) cgroup_files.push_back((group / "cgroup.procs").string());
  const auto cgroup_pointers = pointers_to(cgroup_files);
  const KeeperOrders orders{.argv = argv.data(),
                            .environment = environment.data(),
                            .folder = spec.folder.empty() ? nullptr : spec.folder.c_str(),
                            .cgroup_files = std::span(cgroup_pointers.data(), cgroup_files.size()),
                            .limits = limits,
                            .input = input.reading.get(),
                            .output = output.writing.get(),
                            .error = error.writing.get(),
                            .lifeline = lifeline.reading.get(),
                            .report = report.writing.get(),
                            .start = start.writing.get()};
  const pid_t keeper = ::fork();
  if (keeper == 0) run_keeper(orders);
  if (keeper < 0) return fail(errno_error("cannot start a process for", spec.argv[0]));
  ChildProcess child;
  child.keeper_ = keeper;
  child.lifeline_ = std::move(lifeline.writing);
  child.report_ = std::move(report.reading);
  child.input_ = std::move(input.writing);
  child.output_ = std::move(output.reading);
  child.error_ = std::move(error.reading);
  start.writing.reset();
  if (const auto failure = read_record<StartFailure>(start.reading.get())) return fail(start_error(*failure, spec));
  return child;
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : keeper_(std::exchange(other.keeper_, -1)),
      lifeline_(std::move(other.lifeline_)),
      report_(std::move(other.report_)),
      input_(std::move(other.input_)),
      output_(std::move(other.output_)),
      error_(std::move(other.error_)),
      end_(other.end_) {}

ChildProcess::~ChildProcess() {
  if (keeper_ < 0) return;
  lifeline_.reset();
  while (::waitpid(keeper_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

Result<ChildProcess::Event> ChildProcess::wait(double timeout_s) {
  const double deadline = system_clock().monotonic_s() + timeout_s;
  for (;;) {
    pollfd waiting[] = {{output_.get(), POLLIN, 0}, {error_.get(), POLLIN, 0}, {report_.get(), POLLIN, 0}};
    // The end is read last: all output comes before it.
    const bool all_read = !output_.is_open() && !error_.is_open();
    const double left_ms = std::max(0.0, (deadline - system_clock().monotonic_s()) * 1e3);
    const int ready = ::poll(waiting, all_read ? 3 : 2, static_cast<int>(std::min(std::ceil(left_ms), 1e6)));
    if (ready < 0 && errno != EINTR) return fail(errno_error("cannot wait for", "a process"));
    if (ready < 0) return Event{};  // A signal: the caller may want to know.
    if (ready == 0) return Event{};
    if (waiting[0].revents != 0)
      if (auto event = read_output(output_, Stream::Output)) return std::move(*event);
    if (waiting[1].revents != 0)
      if (auto event = read_output(error_, Stream::Error)) return std::move(*event);
    if (all_read && waiting[2].revents != 0) {
      RETURN_IF_ERROR(read_end());
      return Event{.kind = Event::Kind::End};
    }
  }
}

std::optional<ChildProcess::Event> ChildProcess::read_output(FileDescriptor& from, Stream stream) {
  std::string bytes(65536, '\0');
  const ssize_t got = ::read(from.get(), bytes.data(), bytes.size());
  if (got < 0 && errno == EINTR) return std::nullopt;
  if (got <= 0) {
    from.reset();
    return std::nullopt;
  }
  bytes.resize(static_cast<std::size_t>(got));
  return Event{Event::Kind::Output, stream, std::move(bytes)};
}

Status ChildProcess::read_end() {
  const auto report = read_record<KeeperReport>(report_.get());
  while (::waitpid(keeper_, nullptr, 0) < 0 && errno == EINTR) {
  }
  keeper_ = -1;
  if (!report) return fail(Code::Unavailable, "the keeper of a process was killed from outside");
  end_ = end_of(*report);
  return {};
}

Status ChildProcess::write_input(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(input_.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return fail(Code::Unavailable, fmt::format("the process reads no more: {}", std::strerror(errno)));
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Result<ProcessOutcome> run_process(const ProcessSpec& spec, const RunOptions& options) {
  const double started = system_clock().monotonic_s();
  ProcessSpec with_input = spec;
  with_input.input_from_pipe = !options.input.empty();
  ASSIGN_OR_RETURN(ChildProcess child, ChildProcess::start(with_input));
  if (!options.input.empty()) {
    // A program that ends without reading its input is judged by how it ended.
    [[maybe_unused]] const Status written = child.write_input(options.input);
    child.close_input();
  }
  ProcessOutcome outcome;
  for (;;) {
    ASSIGN_OR_RETURN(const auto event, child.wait(options.poll_s));
    if (event.kind == ChildProcess::Event::Kind::End) break;
    if (event.kind == ChildProcess::Event::Kind::Output && options.on_output)
      options.on_output(event.stream, event.bytes);
    if (outcome.stopped) continue;
    if (options.limit_s > 0 && system_clock().monotonic_s() - started > options.limit_s)
      outcome.stopped = StopReason::TimeLimit;
    else if (options.check)
      outcome.stopped = options.check();
    if (outcome.stopped) child.kill_tree();
  }
  outcome.end = *child.end();
  outcome.wall_s = system_clock().monotonic_s() - started;
  return outcome;
}

Result<std::string> output_of(const ProcessSpec& spec, double limit_s) {
  std::string output, error;
  const RunOptions options{.limit_s = limit_s, .on_output = [&](Stream stream, std::string_view bytes) {
                             (stream == Stream::Output ? output : error) += bytes;
                           }};
  ASSIGN_OR_RETURN(const auto outcome, run_process(spec, options));
  if (outcome.stopped)
    return fail(Code::Unavailable, fmt::format("'{}' did not end within {} s", spec.argv[0], limit_s));
  if (!outcome.end.succeeded())
    return fail(Code::Unavailable, fmt::format("'{}' failed: {}", spec.argv[0], trim(error)));
  return output;
}

std::optional<fs::path> find_program(std::string_view name) {
  const std::string path = environment_variable("PATH");
  for (const std::string_view folder : split(path, ':')) {
    const fs::path candidate = fs::path(folder) / name;
    if (!folder.empty() && ::access(candidate.c_str(), X_OK) == 0 && fs::is_regular_file(candidate)) return candidate;
  }
  return std::nullopt;
}

}  // namespace willitrun
