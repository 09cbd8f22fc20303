#include "os/process_identity.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace willitrun {
namespace {

TEST(ProcessIdentity, ThisProcessRuns) {
  const auto self = this_process();
  ASSERT_TRUE(self) << self.error().message;
  EXPECT_EQ(self->pid, ::getpid());
  EXPECT_TRUE(is_running(*self).value());
}

TEST(ProcessIdentity, SamePidOfAnotherLifeIsNotTheProcess) {
  ProcessIdentity reused = this_process().value();
  reused.start_ticks += 1;
  EXPECT_FALSE(is_running(reused).value());
  ProcessIdentity before_restart = this_process().value();
  before_restart.boot_id = "00000000-0000-0000-0000-000000000000";
  EXPECT_FALSE(is_running(before_restart).value());
}

TEST(ProcessIdentity, ZombieAndEndedProcessDoNotRun) {
  const pid_t child = ::fork();
  if (child == 0) ::pause();
  ProcessIdentity identity = this_process().value();
  identity.pid = child;
  // The child started as many ticks after this process as the test took to come here.
  bool ran = false;
  for (int ticks = 0; ticks < 100'000 && !ran; ++ticks, ++identity.start_ticks) ran = is_running(identity).value();
  --identity.start_ticks;
  EXPECT_TRUE(ran);
  ::kill(child, SIGKILL);
  siginfo_t info = {};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT), 0);
  EXPECT_FALSE(is_running(identity).value()) << "a zombie";
  ::waitpid(child, nullptr, 0);
  EXPECT_FALSE(is_running(identity).value()) << "gone";
}

}  // namespace
}  // namespace willitrun
