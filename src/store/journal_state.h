#pragma once

#include "os/clock.h"
#include "os/process_identity.h"
#include "store/database.h"
#include "store/journal.h"

namespace willitrun {

/// What the parts of Journal (attempts, verdicts, imports, rankings: one .cpp each) share.
struct Journal::State {
  Database database;
  const Clock* clock;
  ProcessIdentity owner;

  std::int64_t now_ms() const { return clock->now().time_since_epoch().count(); }
};

/// Makes a Time of what now_ms() gave.
inline Time time_of_ms(std::int64_t ms) { return Time(std::chrono::milliseconds(ms)); }

}  // namespace willitrun
