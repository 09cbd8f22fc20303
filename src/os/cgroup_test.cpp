#include "os/cgroup.h"

#include <gtest/gtest.h>
#include <signal.h>

#include "os/process.h"

namespace willitrun {
namespace {

namespace fs = std::filesystem;

TEST(Cgroup, FindsSeparateHierarchies) {
  const auto parents = find_cgroup_parents(
      "cgroup /sys/fs/cgroup/memory cgroup rw,relatime,memory 0 0\n"
      "cgroup /sys/fs/cgroup/cpu,cpuacct cgroup rw,relatime,cpu,cpuacct 0 0\n"
      "cgroup /sys/fs/cgroup/pids cgroup rw,relatime,pids 0 0\n"
      "cgroup2 /sys/fs/cgroup/unified cgroup2 rw,relatime 0 0\n",
      "8:pids:/\n4:memory:/jobs/7\n0::/\n");
  EXPECT_EQ(parents.pids, fs::path("/sys/fs/cgroup/pids"));
  EXPECT_EQ(parents.memory, fs::path("/sys/fs/cgroup/memory/jobs/7"));
}

TEST(Cgroup, FindsTheUnifiedHierarchy) {
  const auto parents = find_cgroup_parents("cgroup2 /sys/fs/cgroup cgroup2 rw,nosuid 0 0\n", "0::/user.slice\n");
  EXPECT_EQ(parents.pids, fs::path("/sys/fs/cgroup/user.slice"));
  EXPECT_EQ(parents.memory, parents.pids);
}

TEST(Cgroup, FindsNothingWhereNothingIsMounted) {
  const auto parents = find_cgroup_parents("proc /proc proc rw 0 0\n", "");
  EXPECT_FALSE(parents.pids);
  EXPECT_FALSE(parents.memory);
}

class UsableCgroup : public testing::Test {
 protected:
  void SetUp() override {
    parents_ = usable_cgroup_parents();
    if (!parents_.pids || !parents_.memory) GTEST_SKIP() << "this host lets us make no control groups";
  }

  Result<ProcessOutcome> run(const Cgroup& group, const std::string& python) {
    ProcessSpec spec{.argv = {"/usr/bin/python3", "-c", python}};
    spec.cgroups = group.folders();
    return run_process(spec, {.limit_s = 20});
  }

  CgroupParents parents_;
};

TEST_F(UsableCgroup, RefusesForksBeyondItsLimit) {
  const auto group = Cgroup::create(parents_, {.memory_bytes = 1 << 28, .processes = 5});
  ASSERT_TRUE(group) << group.error().message;
  const auto outcome = run(*group, "import os, time\nwhile True:\n  if os.fork() == 0: time.sleep(60)");
  ASSERT_TRUE(outcome);
  EXPECT_FALSE(outcome->end.succeeded());
  EXPECT_GT(group->num_refused_forks(), 0);
}

TEST_F(UsableCgroup, KillsForMemoryAndSaysSo) {
  const auto group = Cgroup::create(parents_, {.memory_bytes = 64 << 20, .processes = 50});
  ASSERT_TRUE(group) << group.error().message;
  const auto outcome = run(*group, "x = b'x' * (256 << 20)");
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->end.signal, SIGKILL);
  EXPECT_GT(group->num_memory_kills(), 0);
}

TEST_F(UsableCgroup, LeavesNoGroupBehind) {
  std::vector<fs::path> folders;
  {
    const auto group = Cgroup::create(parents_, {.memory_bytes = 1 << 28, .processes = 50});
    ASSERT_TRUE(group);
    folders = group->folders();
    ASSERT_TRUE(run(*group, "pass"));
    EXPECT_EQ(group->num_memory_kills(), 0);
    EXPECT_EQ(group->num_refused_forks(), 0);
  }
  for (const fs::path& folder : folders) EXPECT_FALSE(fs::exists(folder)) << folder;
}

}  // namespace
}  // namespace willitrun
