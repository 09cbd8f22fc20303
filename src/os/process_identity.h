#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace willitrun {

/// Names one process for ever: a pid is reused, and a machine restarts.
struct ProcessIdentity {
  std::int64_t pid = 0;
  std::int64_t start_ticks = 0;  ///< Field 22 of /proc/<pid>/stat: clock ticks from boot to the start of the process.
  std::string boot_id;           ///< /proc/sys/kernel/random/boot_id.

  bool operator==(const ProcessIdentity&) const = default;
};

/// Returns the identity of the calling process.
Result<ProcessIdentity> this_process();

/// Tells whether that very process still runs on this machine. A zombie does not run.
Result<bool> is_running(const ProcessIdentity& process);

}  // namespace willitrun
