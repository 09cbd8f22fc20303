#pragma once

#include <atomic>

namespace willitrun {

/// Makes SIGINT and SIGTERM ask the program to stop instead of killing it: work in progress looks at the returned flag,
/// ends its processes, leaves no half row, and the program exits with 130. A second signal does what it always did.
/// Call it once, before threads start; later calls return the same flag.
const std::atomic<bool>& stop_on_signals();

}  // namespace willitrun
