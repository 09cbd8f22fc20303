#pragma once

#include <sys/types.h>

#include <functional>

namespace willitrun {

/// Starts a copy of this process that runs `work` and exits with 0 if it returned true, else with 1.
pid_t start_child(const std::function<bool()>& work);

/// Waits for a child's end and returns its exit status; 128 + N when signal N ended it.
int wait_for_child(pid_t child);

}  // namespace willitrun
