#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace willitrun {

/// Where this process may make control groups: one folder per controller (cgroup v1), or the same one for both (v2).
/// Absent: the host offers none, or we may not write there.
struct CgroupParents {
  std::optional<std::filesystem::path> pids;
  std::optional<std::filesystem::path> memory;
};

/// Reads where the kernel has mounted the controllers and where in them this process is, out of the texts of
/// /proc/self/mounts and /proc/self/cgroup. Says nothing about permission. Pure.
CgroupParents find_cgroup_parents(std::string_view mounts, std::string_view own_groups);

/// Returns the parents in which this process can really make groups; tries it.
CgroupParents usable_cgroup_parents();

/// Limits of a process tree as a whole.
struct CgroupLimits {
  std::uint64_t memory_bytes = 0;
  int processes = 0;  ///< Processes and threads.
};

/// Control groups of one process tree. They bind root too, and count what a runaway tree does. Removed with the object,
/// which must outlive the processes.
class Cgroup {
 public:
  /// Makes a group in every parent that is there. Afterwards limits_memory() and limits_processes() say what holds.
  static Result<Cgroup> create(const CgroupParents& parents, const CgroupLimits& limits);

  Cgroup(Cgroup&&) noexcept;
  Cgroup& operator=(Cgroup&&) = delete;
  ~Cgroup();

  bool limits_memory() const { return memory_.has_value(); }
  bool limits_processes() const { return pids_.has_value(); }

  /// The folders whose cgroup.procs a process joins.
  std::vector<std::filesystem::path> folders() const;

  /// How often the kernel killed a process of the group for its memory limit.
  int num_memory_kills() const;

  /// How often a fork was refused for the limit on processes.
  int num_refused_forks() const;

 private:
  Cgroup() = default;

  std::optional<std::filesystem::path> pids_, memory_;
};

}  // namespace willitrun
