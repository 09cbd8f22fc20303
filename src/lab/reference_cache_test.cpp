#include "lab/reference_cache.h"

#include <gtest/gtest.h>

#include <functional>

#include "lab/sample_report.h"
#include "os/file.h"
#include "testing/temp_folder.h"

namespace willitrun {
namespace {

const ReferenceInputs kInputs{"a/b@1", "script", "torch==2\n", "3.11", "A=b\n", false};

TEST(ReferenceDigest, ChangesWithEveryInput) {
  const std::vector<std::function<void(ReferenceInputs&)>> changes = {
      [](auto& i) { i.model_identity = "a/b@2"; },    [](auto& i) { i.script += " "; },
      [](auto& i) { i.package_lock = "torch==3\n"; }, [](auto& i) { i.python = "3.12"; },
      [](auto& i) { i.environment = "A=c\n"; },       [](auto& i) { i.remote_code = true; }};
  for (std::size_t i = 0; i < changes.size(); ++i) {
    ReferenceInputs changed = kInputs;
    changes[i](changed);
    EXPECT_NE(digest_of(changed), digest_of(kInputs)) << "input " << i;
  }
  EXPECT_EQ(digest_of(kInputs), digest_of(ReferenceInputs(kInputs)));
}

class ReferenceCacheTest : public testing::Test {
 protected:
  ReferenceCacheTest() {
    EXPECT_TRUE(write_file_atomically(run_ / kReportFile, sample_report({.reference = true})));
    EXPECT_TRUE(write_file_atomically(run_ / kLogitsFile, "numbers"));
  }

  TempFolder folder_;
  std::filesystem::path run_ = folder_.path() / "run";
  ReferenceCache cache_{folder_.path() / "references"};
};

TEST_F(ReferenceCacheTest, GivesBackWhatWasStored) {
  EXPECT_FALSE(cache_.find("d1"));
  const auto stored = cache_.store("d1", run_);
  ASSERT_TRUE(stored) << stored.error().message;
  const auto found = cache_.find("d1");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->report.result->tokens, stored->report.result->tokens);
  EXPECT_EQ(read_file(found->logits).value(), "numbers");
}

TEST_F(ReferenceCacheTest, KeepsTheFirstOfTwo) {
  ASSERT_TRUE(cache_.store("d1", run_));
  ASSERT_TRUE(cache_.store("d1", run_));
  EXPECT_EQ(list_folder(folder_.path() / "references").value(), std::vector<std::string>{"d1"});
}

TEST_F(ReferenceCacheTest, ReplacesABrokenOne) {
  ASSERT_TRUE(write_file_atomically(folder_.path() / "references/d1/report.jsonl", "{\"event\": \"st"));
  EXPECT_FALSE(cache_.find("d1"));
  EXPECT_TRUE(cache_.store("d1", run_));
  EXPECT_TRUE(cache_.find("d1"));
}

}  // namespace
}  // namespace willitrun
