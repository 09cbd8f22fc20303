#include "lab/judge_worker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "os/file.h"
#include "testing/temp_folder.h"

namespace willitrun {
namespace {

/// A worker that speaks the protocol without a model: the figure is the text's length; some texts make it misbehave.
constexpr const char* kWorker = R"(
import json, os, sys
print(json.dumps({"ready": 1, "model": sys.argv[2]}), flush=True)
for line in sys.stdin:
    request = json.loads(line)
    if request["text"] == "die":
        sys.exit("out of luck")
    if request["text"] == "refuse":
        print(json.dumps({"id": request["id"], "error": "cannot"}), flush=True)
        continue
    print(json.dumps({"id": request["id"], "tokens": len(request["text"]), "mean_nll": 2.5, "repeated_trigrams": 0.0,
                      "language": "en", "language_probability": 1.0}), flush=True)
)";

class JudgeWorkerTest : public testing::Test {
 protected:
  JudgeWorkerTest() { EXPECT_TRUE(write_file_atomically(folder_.path() / "judge.py", kWorker)); }

  JudgeParts parts() {
    return {"/usr/bin/python3", folder_.path() / "judge.py", [this]() -> Result<std::filesystem::path> {
              ++num_models_;
              return folder_.path();
            }};
  }

  TempFolder folder_;
  int num_models_ = 0;
};

TEST_F(JudgeWorkerTest, JudgesManyTextsInOneProcess) {
  JudgeWorker judge(parts());
  EXPECT_EQ(num_models_, 0);
  EXPECT_EQ(judge.measure("three").value().tokens, 5);
  EXPECT_EQ(judge.measure("two\nlines").value().tokens, 9);
  EXPECT_EQ(num_models_, 1);
}

TEST_F(JudgeWorkerTest, StartsAgainAfterADeath) {
  JudgeWorker judge(parts());
  const auto dead = judge.measure("die");
  ASSERT_FALSE(dead);
  EXPECT_EQ(dead.error().code, Code::Unavailable);
  EXPECT_THAT(dead.error().message, testing::HasSubstr("out of luck"));
  EXPECT_TRUE(judge.measure("alive"));
  EXPECT_EQ(num_models_, 2);
}

TEST_F(JudgeWorkerTest, IsUnavailableWhenAPartIsMissing) {
  JudgeParts broken = parts();
  broken.python = "/no/such/python";
  EXPECT_EQ(JudgeWorker(broken).measure("x").error().code, Code::Unavailable);
  broken = parts();
  broken.model = []() -> Result<std::filesystem::path> { return fail(Code::NotFound, "no such model"); };
  EXPECT_EQ(JudgeWorker(broken).measure("x").error().code, Code::Unavailable);
}

TEST_F(JudgeWorkerTest, PassesARefusalOn) {
  EXPECT_EQ(JudgeWorker(parts()).measure("refuse").error().code, Code::Unavailable);
}

}  // namespace
}  // namespace willitrun
