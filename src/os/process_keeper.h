#pragma once

#include <sys/resource.h>

#include <optional>
#include <span>

namespace willitrun {

/// What the keeper writes to its report pipe, once: how the program ended.
struct KeeperReport {
  int wait_status;
  rusage usage;  ///< Of the program and all its descendants.
};

/// What a program that could not be started writes to its start pipe: the step that failed, and errno.
struct StartFailure {
  enum class Step : int { Cgroup, Folder, Limit, Execute };
  Step step;
  int error;
};

/// A resource and its limit, ready for setrlimit.
struct KernelLimit {
  __rlimit_resource resource;
  rlim_t value;
};

/// Everything that keeper and program need after the fork, made before it: no memory may be allocated in between.
struct KeeperOrders {
  char* const* argv;
  char* const* environment;
  const char* folder;  ///< Null means as it is.
  std::span<const char* const> cgroup_files;
  std::span<const KernelLimit> limits;
  int input, output, error;  ///< The program's standard streams.
  int lifeline;              ///< Read end: its end of file means that the tree must go.
  int report;                ///< Write end.
  int start;                 ///< Write end, close-on-exec: its end of file without bytes means that the program runs.
};

/// Runs as the keeper in a freshly forked process: starts the program, waits for it or for the lifeline, kills and
/// reaps every descendant, reports. Async-signal-safe throughout. Never returns.
[[noreturn]] void run_keeper(const KeeperOrders& orders);

}  // namespace willitrun
