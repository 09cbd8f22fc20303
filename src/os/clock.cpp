#include "os/clock.h"

namespace willitrun {
namespace {

class SystemClock : public Clock {
 public:
  Time now() const override { return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now()); }
  double monotonic_s() const override {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }
};

}  // namespace

const Clock& system_clock() {
  static const SystemClock clock;
  return clock;
}

}  // namespace willitrun
