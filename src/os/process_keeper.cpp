// The keeper stands between willitrun and a program that may do anything: fork without end, leave its process group,
// outlive its parent. Three things make sure that nothing stays behind.
//
//  * Subreaper. A descendant whose parent dies becomes the keeper's child instead of init's, so that it can be found
//  and
//    killed however far it ran away from its process group.
//  * Lifeline. willitrun holds the other end of a pipe. When it lets go, on purpose or because it was killed, the
//  keeper
//    reads the end of the file and kills everything.
//  * Parent-death signal. Should the keeper itself be killed, the kernel kills the program.
//
// The code runs after a fork of a process that may have threads, so it calls async-signal-safe functions only and
// allocates nothing.
#include "os/process_keeper.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

namespace willitrun {
namespace {

using Step = StartFailure::Step;

[[noreturn]] void give_up(const KeeperOrders& orders, Step step) {
  const StartFailure failure{step, errno};
  [[maybe_unused]] const auto written = ::write(orders.start, &failure, sizeof failure);
  ::_exit(127);
}

void join_cgroup(const KeeperOrders& orders, const char* file) {
  const int fd = ::open(file, O_WRONLY | O_CLOEXEC);
  if (fd < 0 || ::write(fd, "0", 1) != 1) give_up(orders, Step::Cgroup);
  ::close(fd);
}

/// Signal dispositions and the mask are inherited through exec; the program gets the defaults.
void reset_signals() {
  for (int number = 1; number < NSIG; ++number) ::signal(number, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

[[noreturn]] void become_program(const KeeperOrders& orders, pid_t keeper) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != keeper) ::_exit(127);  // The keeper died before the signal was set.
  for (const char* const file : orders.cgroup_files) join_cgroup(orders, file);
  if (orders.folder != nullptr && ::chdir(orders.folder) != 0) give_up(orders, Step::Folder);
  for (const KernelLimit& limit : orders.limits) {
    const rlimit both{limit.value, limit.value};
    if (::setrlimit(limit.resource, &both) != 0) give_up(orders, Step::Limit);
  }
  ::dup2(orders.input, STDIN_FILENO);
  ::dup2(orders.output, STDOUT_FILENO);
  ::dup2(orders.error, STDERR_FILENO);
  reset_signals();
  ::execve(orders.argv[0], orders.argv, orders.environment);
  give_up(orders, Step::Execute);
}

/// Closes every descriptor from `first` on but the `kept` ones (at most 32).
void close_others(int first, std::span<const int> kept) {
  int sorted[32];
  const auto end = std::copy(kept.begin(), kept.end(), sorted);
  std::sort(sorted, end);
  for (const int* fd = sorted; fd != end; ++fd) {
    if (*fd < first) continue;
    if (*fd > first) ::close_range(static_cast<unsigned>(first), static_cast<unsigned>(*fd - 1), 0);
    first = *fd + 1;
  }
  ::close_range(static_cast<unsigned>(first), ~0U, 0);
}

/// Sends SIGKILL to every child of this process, as the kernel lists them.
void kill_children() {
  const int fd = ::open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  char bytes[4096];
  pid_t child = 0;
  for (ssize_t got = 0; (got = ::read(fd, bytes, sizeof bytes)) > 0;) {
    for (const char c : std::span(bytes, static_cast<std::size_t>(got))) {
      if (c >= '0' && c <= '9') {
        child = child * 10 + (c - '0');
      } else if (child > 0) {
        ::kill(child, SIGKILL);
        child = 0;
      }
    }
  }
  ::close(fd);
}

/// Kills and reaps until no descendant is left: the children of a killed child become ours, and go in the next round.
/// Returns the program's wait status. The program has not been reaped yet, so its process group is surely its own.
int end_tree(pid_t program) {
  int status = 0;
  for (bool reaped = false;;) {
    if (!reaped) ::kill(-program, SIGKILL);  // The whole group at once: a fork in progress is ended with it.
    kill_children();
    int ended = 0;
    pid_t child = 0;
    while ((child = ::waitpid(-1, &ended, WNOHANG)) > 0) {
      if (child != program) continue;
      reaped = true;
      status = ended;
    }
    if (child < 0 && errno == ECHILD) return status;
    ::poll(nullptr, 0, 1);
  }
}

/// Reaps adopted children that ended. Returns true when the program has ended; it is left for end_tree() to reap.
bool program_ended(pid_t program) {
  for (;;) {
    siginfo_t info{};
    if (::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0) return false;
    if (info.si_pid == program) return true;
    ::waitpid(info.si_pid, nullptr, 0);
  }
}

void wait_for_program_or_lifeline(pid_t program, int lifeline) {
  sigset_t child_signal;
  ::sigemptyset(&child_signal);
  ::sigaddset(&child_signal, SIGCHLD);
  const int signals = ::signalfd(-1, &child_signal, SFD_CLOEXEC);
  while (!program_ended(program)) {
    pollfd waiting[] = {{lifeline, POLLIN, 0}, {signals, POLLIN, 0}};
    ::poll(waiting, 2, -1);
    if (waiting[0].revents != 0) return;
    signalfd_siginfo ignored;
    [[maybe_unused]] const auto got = ::read(signals, &ignored, sizeof ignored);
  }
}

}  // namespace

void run_keeper(const KeeperOrders& orders) {
  sigset_t all;
  ::sigfillset(&all);
  ::sigprocmask(SIG_SETMASK, &all, nullptr);  // Only SIGKILL ends a keeper before its work is done.
  ::setsid();
  ::prctl(PR_SET_NAME, "willitrun-keep");
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  const int kept[] = {orders.input, orders.output, orders.error, orders.lifeline, orders.report, orders.start};
  close_others(0, kept);
  const pid_t keeper = ::getpid();
  const pid_t program = ::fork();
  if (program == 0) become_program(orders, keeper);
  if (program < 0) give_up(orders, Step::Execute);
  const int still_needed[] = {orders.lifeline, orders.report};
  close_others(0, still_needed);
  wait_for_program_or_lifeline(program, orders.lifeline);
  KeeperReport report{};
  report.wait_status = end_tree(program);
  ::getrusage(RUSAGE_CHILDREN, &report.usage);
  [[maybe_unused]] const auto written = ::write(orders.report, &report, sizeof report);
  ::_exit(0);
}

}  // namespace willitrun
