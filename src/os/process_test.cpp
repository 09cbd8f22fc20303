#include "os/process.h"

#include <dirent.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "base/text.h"
#include "os/file.h"
#include "testing/temp_folder.h"

namespace willitrun {
namespace {

ProcessSpec shell(std::string script) {
  return {.argv = {"/bin/sh", "-c", std::move(script)}, .environment = {"PATH=/usr/bin:/bin"}};
}

struct Seen {
  std::string output, error;
  RunOptions options(double limit_s = 20) {
    return {.limit_s = limit_s, .poll_s = 0.01, .on_output = [this](Stream stream, std::string_view bytes) {
              (stream == Stream::Output ? output : error) += bytes;
            }};
  }
};

/// Tells whether a process of that id exists, zombies included.
bool exists(pid_t pid) { return ::kill(pid, 0) == 0; }

/// Waits until the process is gone; false when it still is there after five seconds.
bool is_gone_soon(pid_t pid) {
  for (int i = 0; i < 500 && exists(pid); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return !exists(pid);
}

int open_descriptors() {
  int count = 0;
  DIR* folder = ::opendir("/proc/self/fd");
  while (::readdir(folder) != nullptr) ++count;
  ::closedir(folder);
  return count;
}

TEST(Process, GivesOutputErrorAndExitStatus) {
  Seen seen;
  const auto outcome = run_process(shell("echo out; echo err >&2; exit 3"), seen.options());
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(outcome->end.status, 3);
  EXPECT_FALSE(outcome->end.signal);
  EXPECT_FALSE(outcome->stopped);
  EXPECT_EQ(seen.output, "out\n");
  EXPECT_EQ(seen.error, "err\n");
}

TEST(Process, SeesOnlyTheEnvironmentAndFolderThatAreNamed) {
  ::setenv("WILLITRUN_SECRET", "1", 1);
  ProcessSpec spec{.argv = {"/usr/bin/env"}, .environment = {"A=b"}};
  EXPECT_EQ(output_of(spec, 10).value(), "A=b\n");
  spec = {.argv = {"/bin/pwd"}, .folder = "/usr"};
  EXPECT_EQ(output_of(spec, 10).value(), "/usr\n");
}

TEST(Process, InheritsNoDescriptor) {
  const FileDescriptor leaky(::dup(STDIN_FILENO));
  const auto open = output_of(shell("ls /proc/self/fd | tr '\\n' ' '"), 10);
  EXPECT_EQ(open.value(), "0 1 2 3 ");  // 3 is the folder that ls reads.
}

TEST(Process, ReadsItsInputAndItsEnd) {
  Seen seen;
  RunOptions options = seen.options();
  options.input = "line\n";
  const auto outcome = run_process({.argv = {"/bin/cat"}}, options);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(seen.output, "line\n");
}

TEST(Process, DecodesTheSignalThatEndedIt) {
  const auto outcome = run_process(shell("kill -SEGV $$"), {});
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->end.signal, SIGSEGV);
  EXPECT_FALSE(outcome->end.status);
}

TEST(Process, SaysWhyAProgramCannotStart) {
  EXPECT_EQ(run_process({.argv = {"/no/such/program"}}, {}).error().code, Code::NotFound);
  EXPECT_EQ(run_process({.argv = {"/etc/passwd"}}, {}).error().code, Code::PermissionDenied);
  const auto no_folder = run_process({.argv = {"/bin/true"}, .folder = "/no/such/folder"}, {});
  EXPECT_NE(no_folder.error().message.find("/no/such/folder"), std::string::npos);
}

TEST(Process, IsEndedAtItsTimeLimit) {
  const auto outcome = run_process(shell("sleep 60"), Seen().options(0.1));
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->stopped, StopReason::TimeLimit);
  EXPECT_EQ(outcome->end.signal, SIGKILL);
  EXPECT_LT(outcome->wall_s, 5);
}

TEST(Process, IsEndedWhenTheCheckSaysSo) {
  RunOptions options;
  options.check = [] { return StopReason::Silence; };
  EXPECT_EQ(run_process(shell("sleep 60"), options)->stopped, StopReason::Silence);
}

TEST(Process, TakesDescendantsThatRanAwayWithIt) {
  Seen seen;
  // The grandchild leaves session and process group and holds on to standard output.
  const auto outcome = run_process(shell("setsid sh -c 'echo $$; exec sleep 60' & sleep 0.3; exit 0"), seen.options());
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->end.status, 0);
  EXPECT_LT(outcome->wall_s, 10);
  EXPECT_TRUE(is_gone_soon(static_cast<pid_t>(parse_uint(trim(seen.output)).value())));
}

TEST(Process, LeavesNoProcessWhenItsOwnerIsKilled) {
  const TempFolder folder;
  const auto pid_file = folder.path() / "pid";
  const pid_t owner = ::fork();
  if (owner == 0) {
    auto child =
        ChildProcess::start(shell("setsid sh -c 'echo $$ > " + pid_file.string() + "; exec sleep 60' & sleep 60"));
    for (;;) ::pause();
  }
  std::string text;
  for (int i = 0; i < 500 && text.empty(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    text = read_file(pid_file).value_or("");
  }
  const auto sleeper = static_cast<pid_t>(parse_uint(trim(text)).value());
  ASSERT_TRUE(exists(sleeper));
  ::kill(owner, SIGKILL);
  ::waitpid(owner, nullptr, 0);
  EXPECT_TRUE(is_gone_soon(sleeper));
}

TEST(Process, LeavesNeitherZombieNorDescriptor) {
  const int before = open_descriptors();
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(run_process(shell("exit 0"), {}));
  {
    auto abandoned = ChildProcess::start(shell("sleep 60"));
  }
  EXPECT_EQ(open_descriptors(), before);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a child is left";
}

TEST(Process, EnforcesTheLargestFile) {
  const TempFolder folder;
  ProcessSpec spec = shell("head -c 100000 /dev/zero > " + (folder.path() / "big").string());
  spec.limits.file_bytes = 4096;
  const auto outcome = run_process(spec, {});
  ASSERT_TRUE(outcome);
  EXPECT_FALSE(outcome->end.succeeded());
  EXPECT_EQ(size_of_file(folder.path() / "big").value(), 4096U);
}

TEST(Process, CarriesOnAConversation) {
  auto child = ChildProcess::start({.argv = {"/bin/cat"}, .input_from_pipe = true});
  ASSERT_TRUE(child);
  ASSERT_TRUE(child->write_input("ping\n"));
  EXPECT_EQ(child->wait(5)->bytes, "ping\n");
  child->close_input();
  EXPECT_EQ(child->wait(5)->kind, ChildProcess::Event::Kind::End);
  EXPECT_TRUE(child->end()->succeeded());
}

TEST(Process, FindsProgramsOnThePath) {
  EXPECT_TRUE(find_program("sh"));
  EXPECT_FALSE(find_program("no-such-program-at-all"));
}

}  // namespace
}  // namespace willitrun
