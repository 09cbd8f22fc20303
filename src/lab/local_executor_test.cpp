#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "lab/executor.h"
#include "os/file.h"
#include "testing/temp_folder.h"

namespace willitrun {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// Runs small hostile scripts for real.
class HostileScript : public testing::Test {
 protected:
  HostileScript() : tools_(find_sandbox_tools()) {}

  void SetUp() override {
    if (!tools_.bubblewrap) GTEST_SKIP() << tools_.obstacle;
  }

  ScriptOutcome run(const std::string& script) {
    EXPECT_TRUE(write_file_atomically(folder_.path() / "run.py", script));
    EXPECT_TRUE(make_folder(model_.path() / "models--a--b"));
    ScriptJob job{.folder = folder_.path(),
                  .inputs = {"run.py"},
                  .outputs = {"report.jsonl"},
                  .arguments = {"run.py"},
                  .python = "/usr/bin/python3",
                  .model = {model_.path() / "models--a--b", true},
                  .graph_folder = graph_folder_,
                  .limits = limits_,
                  .limit_s = 20};
    const auto outcome = LocalExecutor(tools_, sandboxed_).run(job, check_);
    EXPECT_TRUE(outcome) << outcome.error().message;
    return outcome.value_or(ScriptOutcome());
  }

  SandboxTools tools_;
  SandboxLimits limits_{.memory_bytes = 256 << 20, .processes = 30, .scratch_bytes = 8 << 20, .file_bytes = 4 << 20};
  bool sandboxed_ = true;
  RunCheck check_;
  std::optional<fs::path> graph_folder_;
  TempFolder folder_, model_;
};

TEST_F(HostileScript, MayDoWhatAScriptNeeds) {
  const auto outcome =
      run("import os, getpass, tempfile\n"
          "print(sorted(os.listdir(os.environ['HF_HUB_CACHE'])), getpass.getuser())\n"
          "tempfile.TemporaryFile().write(b'x')\n"
          "open('report.jsonl', 'a').write('line\\n')\n");
  EXPECT_EQ(outcome.end.status, 0) << outcome.log;
  EXPECT_EQ(outcome.log, "['models--a--b'] willitrun\n");
  EXPECT_EQ(read_file(folder_.path() / "report.jsonl").value(), "line\n");
}

TEST_F(HostileScript, KeepsCompiledGraphsWhereItIsGivenAFolder) {
  const std::string compile =
      "import os, pathlib\n"
      "graph = pathlib.Path(os.environ['TORCH_NEURONX_NEFF_CACHE_DIR'], 'ab', 'cd', 'key.neff')\n"
      "print('hit' if graph.exists() else 'miss')\n"
      "graph.parent.mkdir(parents=True, exist_ok=True)\n"
      "graph.write_text('graph')\n";
  const TempFolder graphs;
  graph_folder_ = graphs.path();
  EXPECT_EQ(run(compile).log, "miss\n");
  EXPECT_EQ(run(compile).log, "hit\n");
  EXPECT_EQ(read_file(graphs.path() / "ab/cd/key.neff").value(), "graph");
  graph_folder_.reset();
  EXPECT_THAT(run(compile).log, HasSubstr("KeyError"));
}

TEST_F(HostileScript, CannotReachTheNetwork) {
  const auto outcome = run("import socket\nsocket.create_connection(('192.0.2.1', 80), 5)");
  EXPECT_EQ(outcome.end.status, 1);
  EXPECT_THAT(outcome.log, HasSubstr("Network is unreachable"));
}

TEST_F(HostileScript, CannotForkWithoutEnd) {
  const auto outcome = run("import os\nwhile True: os.fork()");
  EXPECT_FALSE(outcome.end.succeeded());
  if (!tools_.cgroups.pids) GTEST_SKIP() << "no control group counts processes here";
  EXPECT_GT(outcome.num_refused_forks, 0);
}

TEST_F(HostileScript, CannotEatTheHostsMemory) {
  const auto outcome = run("x = []\nwhile True: x.append(b'x' * (16 << 20))");
  EXPECT_FALSE(outcome.end.succeeded());
  if (!tools_.cgroups.memory) GTEST_SKIP() << "no control group counts memory here";
  EXPECT_GT(outcome.num_memory_kills, 0);
  EXPECT_EQ(outcome.end.signal, SIGKILL);
}

TEST_F(HostileScript, CannotFillTheHostsDisk) {
  const auto outcome = run("f = open('report.jsonl', 'wb')\nwhile True: f.write(b'x' * (1 << 20))");
  EXPECT_FALSE(outcome.end.succeeded());
  EXPECT_EQ(size_of_file(folder_.path() / "report.jsonl").value(), limits_.file_bytes);
  const auto many =
      run("import itertools\nfor i in itertools.count(): open(f'/tmp/{i}', 'wb').write(b'x' * (1 << 20))");
  EXPECT_THAT(many.log, HasSubstr("No space left on device"));
}

TEST_F(HostileScript, IsSeenToCrash) {
  const auto outcome = run("import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)");
  EXPECT_EQ(outcome.end.signal, SIGSEGV);
  EXPECT_THAT(outcome.log, HasSubstr("Segmentation fault"));
}

TEST_F(HostileScript, KeepsBothEndsOfAnEndlessLog) {
  const auto outcome =
      run("import sys\nprint('first')\nfor _ in range(400): sys.stdout.write('x' * 10000)\nprint('last')");
  EXPECT_EQ(outcome.end.status, 0);
  EXPECT_TRUE(outcome.log.starts_with("first"));
  EXPECT_TRUE(outcome.log.ends_with("last\n"));
  EXPECT_LT(outcome.log.size(), 1.1 * (1 << 20));
}

TEST_F(HostileScript, IsEndedByTheCheck) {
  check_ = [] { return StopReason::Silence; };
  const auto outcome = run("import time\ntime.sleep(60)");
  EXPECT_EQ(outcome.stopped, StopReason::Silence);
}

TEST_F(HostileScript, RunsInItsFolderWithoutASandbox) {
  sandboxed_ = false;
  const auto outcome = run("import os\nprint(os.getcwd(), os.environ['HF_HUB_CACHE'])");
  EXPECT_EQ(outcome.log, folder_.path().string() + " " + model_.path().string() + "\n");
}

}  // namespace
}  // namespace willitrun
