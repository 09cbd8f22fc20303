#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "os/file_descriptor.h"

namespace willitrun {

/// Kernel limits of each process of a tree (setrlimit); absent means unlimited. Core files are never written.
struct ResourceLimits {
  std::optional<std::uint64_t> file_bytes;  ///< Largest file that may be written.
  std::optional<std::uint64_t> data_bytes;  ///< Private writable memory.
  std::optional<std::uint64_t> processes;   ///< Processes and threads of the user. Does not bind root.
};

/// A program to run. Nothing is inherited but what is named here.
struct ProcessSpec {
  std::vector<std::string> argv;         ///< argv[0] is the program's path; PATH is not searched.
  std::vector<std::string> environment;  ///< `NAME=value`.
  std::filesystem::path folder;          ///< Working folder; empty means that of this process.
  bool input_from_pipe = false;          ///< Otherwise standard input is /dev/null.
  ResourceLimits limits;
  std::vector<std::filesystem::path> cgroups;  ///< Control groups that the program joins before it starts.
};

/// Where a piece of output came from.
enum class Stream { Output, Error };

/// How a process ended: by an exit status or by a signal.
struct ProcessExit {
  std::optional<int> status;
  std::optional<int> signal;
  bool core_dumped = false;
  double cpu_s = 0;                  ///< Processor time of the tree, user and system.
  std::uint64_t peak_rss_bytes = 0;  ///< Largest resident size of a single process of the tree.

  bool succeeded() const { return status == 0; }
};

/// A running program with everything that it starts, as one thing that can be waited for and ended.
///
/// The program has a session and a process group of its own, and a keeper: a small process of ours between the two that
/// adopts orphaned descendants (PR_SET_CHILD_SUBREAPER). When the program ends, when the tree is killed, and when this
/// process dies in whatever way, the keeper kills every descendant and reaps it. So no process stays behind and none
/// becomes a zombie.
class ChildProcess {
 public:
  /// Starts the program. NotFound or PermissionDenied when it cannot be executed.
  static Result<ChildProcess> start(const ProcessSpec& spec);

  /// What wait() saw: a piece of output, or the end (after all output was delivered), or neither within the time.
  struct Event {
    enum class Kind { Output, End, Nothing };
    Kind kind = Kind::Nothing;
    Stream stream = Stream::Output;
    std::string bytes;
  };

  /// Waits at most `timeout_s` for the next event.
  Result<Event> wait(double timeout_s);

  /// Writes all of `bytes` to the program's standard input. Unavailable when the program does not read any more.
  Status write_input(std::string_view bytes);

  /// Closes the program's standard input: it then reads the end of the file.
  void close_input() { input_.reset(); }

  /// Asks the keeper to end every process of the tree with SIGKILL. wait() then brings the end.
  void kill_tree() { lifeline_.reset(); }

  /// How the program ended; nothing before wait() returned an End.
  const std::optional<ProcessExit>& end() const { return end_; }

  ChildProcess(ChildProcess&&) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;

  /// Kills the tree if it still runs, and waits until it is gone.
  ~ChildProcess();

 private:
  ChildProcess() = default;

  std::optional<Event> read_output(FileDescriptor& from, Stream stream);
  Status read_end();

  int keeper_ = -1;          ///< Process id of the keeper; -1 when it was reaped or moved away.
  FileDescriptor lifeline_;  ///< The keeper kills the tree when this closes.
  FileDescriptor report_;    ///< The keeper writes here how the program ended.
  FileDescriptor input_;
  FileDescriptor output_;
  FileDescriptor error_;
  std::optional<ProcessExit> end_;
};

/// Why a run was cut short.
enum class StopReason { TimeLimit, Silence, OutputLimit, Interrupted };

/// How to watch a run.
struct RunOptions {
  double limit_s = 0;                                       ///< Wall-clock limit; 0 means none.
  double poll_s = 0.05;                                     ///< How often `check` is asked at least.
  std::string input;                                        ///< Given to the program's standard input when not empty.
  std::function<void(Stream, std::string_view)> on_output;  ///< Called with every piece of output; may be empty.
  std::function<std::optional<StopReason>()> check;         ///< A reason ends the run; may be empty.
};

/// How a run went.
struct ProcessOutcome {
  ProcessExit end;
  std::optional<StopReason> stopped;  ///< Set when we ended it.
  double wall_s = 0;
};

/// Runs a program to its end, or until its limit or `check` ends it. An error means that it could not be run or
/// watched, never that it failed.
Result<ProcessOutcome> run_process(const ProcessSpec& spec, const RunOptions& options);

/// Runs a short program and returns its standard output. Unavailable when it fails or runs longer than `limit_s`; the
/// message carries what it wrote to standard error.
Result<std::string> output_of(const ProcessSpec& spec, double limit_s);

/// Returns the path of a program that PATH names, or nothing.
std::optional<std::filesystem::path> find_program(std::string_view name);

}  // namespace willitrun
