#pragma once

#include "base/time.h"

namespace willitrun {

/// Tells the time; tests replace it.
class Clock {
 public:
  virtual ~Clock() = default;

  /// Wall-clock time, for records.
  virtual Time now() const = 0;

  /// Seconds since an arbitrary moment, never going back: for durations and deadlines.
  virtual double monotonic_s() const = 0;
};

/// The machine's clock.
const Clock& system_clock();

}  // namespace willitrun
