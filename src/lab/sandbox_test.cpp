#include "lab/sandbox.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "os/file.h"
#include "os/process.h"
#include "testing/temp_folder.h"

namespace willitrun {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

SandboxSpec small_spec() {
  SandboxSpec spec;
  spec.readable = {"/usr", "/bin", "/lib", "/lib64"};
  spec.folder = "/tmp";
  spec.environment = {{"PATH", "/usr/bin:/bin"}, {"NAME", "value"}};
  spec.limits.scratch_bytes = 1 << 20;
  return spec;
}

TEST(SandboxArgv, NamesEverythingThatIsShared) {
  SandboxSpec spec = small_spec();
  spec.read_only = {{"/home/models/a", "/models/a"}};
  spec.writable_files = {{"/home/attempts/1/report.jsonl", "/job/report.jsonl"}};
  spec.writable_folders = {{"/home/neff/neuronxcc-1", "/neff_cache"}};
  const std::string line =
      join(sandbox_argv({.bubblewrap = "/usr/bin/bwrap"}, spec, {"/usr/bin/python3", "run.py"}), " ");
  EXPECT_THAT(line, HasSubstr("--unshare-net"));
  EXPECT_THAT(line, HasSubstr("--unshare-user"));
  EXPECT_THAT(line, HasSubstr("--clearenv"));
  EXPECT_THAT(line, HasSubstr("--ro-bind /home/models/a /models/a"));
  EXPECT_THAT(line, HasSubstr("--bind /home/attempts/1/report.jsonl /job/report.jsonl"));
  EXPECT_THAT(line, HasSubstr("--bind /home/neff/neuronxcc-1 /neff_cache"));
  EXPECT_THAT(line, HasSubstr("--size 1048576 --tmpfs /tmp"));
  EXPECT_THAT(line, HasSubstr("--setenv NAME value"));
  EXPECT_TRUE(line.ends_with("--chdir /tmp -- /usr/bin/python3 run.py"));
}

TEST(SandboxArgv, GivesUpRootInside) {
  const SandboxTools tools{.bubblewrap = "/usr/bin/bwrap", .setpriv = "/usr/bin/setpriv"};
  const std::string line = join(sandbox_argv(tools, small_spec(), {"/bin/true"}), " ");
  EXPECT_THAT(line, Not(HasSubstr("--unshare-user")));
  EXPECT_THAT(line, HasSubstr("-- /usr/bin/setpriv --reuid 65534"));
}

class RealSandbox : public testing::Test {
 protected:
  void SetUp() override {
    tools_ = find_sandbox_tools();
    if (!tools_.bubblewrap) GTEST_SKIP() << tools_.obstacle;
  }

  Result<std::string> run(const SandboxSpec& spec, const std::string& script) {
    return output_of({.argv = sandbox_argv(tools_, spec, {"/bin/sh", "-c", script})}, 20);
  }

  SandboxTools tools_;
};

TEST_F(RealSandbox, HasOnlyTheNamedEnvironment) {
  ::setenv("WILLITRUN_SECRET", "1", 1);
  const auto seen = run(small_spec(), "env");
  ASSERT_TRUE(seen) << seen.error().message;
  EXPECT_THAT(*seen, HasSubstr("NAME=value"));
  EXPECT_THAT(*seen, Not(HasSubstr("WILLITRUN_SECRET")));
}

TEST_F(RealSandbox, HasNoNetwork) {
  const auto devices = run(small_spec(), "cat /proc/net/dev | grep : | cut -d: -f1 | tr -d ' '");
  ASSERT_TRUE(devices) << devices.error().message;
  EXPECT_EQ(*devices, "lo\n");
}

TEST_F(RealSandbox, IsNotRootAndHasNoCapabilities) {
  const auto seen = run(small_spec(), "id -u; grep CapEff /proc/self/status; grep NoNewPrivs /proc/self/status");
  ASSERT_TRUE(seen) << seen.error().message;
  EXPECT_FALSE(seen->starts_with("0\n")) << *seen;
  EXPECT_THAT(*seen, HasSubstr("CapEff:\t0000000000000000"));
  EXPECT_THAT(*seen, HasSubstr("NoNewPrivs:\t1"));
}

TEST_F(RealSandbox, SeesNeitherHostFilesNorHostProcesses) {
  const auto seen = run(small_spec(), "ls /; ls /proc | grep -c '^[0-9]'");
  ASSERT_TRUE(seen) << seen.error().message;
  for (const char* hidden : {"etc", "root", "home", "work"}) EXPECT_THAT(*seen, Not(HasSubstr(hidden)));
}

TEST_F(RealSandbox, WritesOnlyTheNamedFile) {
  const TempFolder folder;
  ASSERT_TRUE(write_file_atomically(folder.path() / "report", ""));
  fs::permissions(folder.path() / "report", fs::perms::all);
  SandboxSpec spec = small_spec();
  spec.writable_files = {{folder.path() / "report", "/job/report"}};
  const auto seen =
      run(spec,
          "echo ok > /job/report; for f in /x /usr/x /dev/x /job/x; do (echo > $f) 2>/dev/null && echo $f; done; true");
  ASSERT_TRUE(seen) << seen.error().message;
  EXPECT_EQ(*seen, "") << "these could be written";
  EXPECT_EQ(read_file(folder.path() / "report").value(), "ok\n");
}

TEST_F(RealSandbox, ReachesWhatIsMountedDeepInside) {
  const TempFolder folder;
  ASSERT_TRUE(write_file_atomically(folder.path() / "a/b/file", "content"));
  SandboxSpec spec = small_spec();
  spec.readable.push_back(folder.path() / "a/b");
  spec.read_only = {{folder.path() / "a/b", "/one/two/three"}};
  const auto seen = run(spec, "cat " + (folder.path() / "a/b/file").string() + " /one/two/three/file");
  ASSERT_TRUE(seen) << seen.error().message;
  EXPECT_EQ(*seen, "contentcontent");
}

TEST_F(RealSandbox, BoundsItsScratchSpace) {
  const auto seen = run(small_spec(),
                        "head -c 3000000 /dev/zero > /tmp/a; head -c 3000000 /dev/zero > /dev/shm/a; "
                        "stat -c %s /tmp/a /dev/shm/a");
  ASSERT_TRUE(seen) << seen.error().message;
  EXPECT_EQ(*seen, "1048576\n1048576\n");
}

TEST_F(RealSandbox, EndsWithItsWholeTree) {
  const SandboxSpec spec = small_spec();
  const auto outcome = run_process(
      {.argv = sandbox_argv(tools_, spec, {"/bin/sh", "-c", "setsid sleep 61 & sleep 61"})}, {.limit_s = 0.3});
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(outcome->stopped, StopReason::TimeLimit);
  EXPECT_LT(outcome->wall_s, 5);
}

}  // namespace
}  // namespace willitrun
