#include "os/interrupt.h"

#include <csignal>

namespace willitrun {
namespace {

// A signal handler can reach nothing else.
std::atomic<bool> stop_asked = false;
static_assert(std::atomic<bool>::is_always_lock_free);

void ask_to_stop(int number) {
  stop_asked = true;
  std::signal(number, SIG_DFL);
}

}  // namespace

const std::atomic<bool>& stop_on_signals() {
  for (const int number : {SIGINT, SIGTERM}) {
    struct sigaction action = {};
    action.sa_handler = ask_to_stop;  // Without SA_RESTART, so that waiting calls return at once.
    ::sigaction(number, &action, nullptr);
  }
  return stop_asked;
}

}  // namespace willitrun
