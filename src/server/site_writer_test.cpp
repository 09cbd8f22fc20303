#include "server/site_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "os/file.h"
#include "server/site_fixture.h"

namespace willitrun {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class SiteWriterTest : public testing::Test {
 protected:
  SiteReport write(const SiteFixture& fixture, const SiteOptions& options = {}) {
    const auto report = write_site(fixture.site, out(), options);
    EXPECT_TRUE(report) << report.error().message;
    return report.value_or(SiteReport{});
  }

  fs::path out() const { return folder_.path() / "out"; }
  std::string content(const std::string& path) const { return read_file(out() / path).value_or("missing"); }

  TempFolder folder_;
};

TEST_F(SiteWriterTest, FilesHoldWhatTheServerAnswers) {
  const SiteFixture fixture;
  write(fixture);
  EXPECT_EQ(content("api/v1/stacks.json"), fixture.get("/api/v1/stacks").body.bytes());
  EXPECT_EQ(content("api/v1/models/Qwen/Qwen3-0.6B.json"), fixture.get("/api/v1/models/Qwen/Qwen3-0.6B").body.bytes());
  EXPECT_EQ(content("model/Qwen/Qwen3-0.6B/index.html"), fixture.get("/model/Qwen/Qwen3-0.6B/").body.bytes());
  EXPECT_EQ(content("badge/Qwen/Qwen3-0.6B.svg"), fixture.get("/badge/Qwen/Qwen3-0.6B.svg").body.bytes());
  EXPECT_EQ(content("api/v1/failures/trn2/2.28.1_5.24.0.json"), fixture.get("/api/v1/failures").body.bytes());
  EXPECT_EQ(content("assets/main-1a2b.js"), "let x = 1;");
  EXPECT_THAT(content("site.json"), HasSubstr(R"("mode":"static")"));
  EXPECT_THAT(content("site.json"), HasSubstr("api/v1/compare/trn2/2.27.1_5.24.0...2.28.1_5.24.0.json"));
  EXPECT_NE(content("api/v1/compare/trn2/2.27.1_5.24.0...2.28.1_5.24.0.json"), "missing");
}

TEST_F(SiteWriterTest, UnchangedContentTouchesNothing) {
  const SiteFixture fixture;
  const SiteReport first = write(fixture);
  const SiteReport second = write(fixture);
  EXPECT_GT(first.num_written, 0U);
  EXPECT_EQ(second.num_written, 0U);
  EXPECT_EQ(second.num_unchanged, first.num_written);
}

TEST_F(SiteWriterTest, WhatNothingLeadsToAnyMoreGoesAndOtherFilesStay) {
  SnapshotInput more = sample_input();
  more.rows.push_back(sample_row("gone/soon", "PASS"));
  write(SiteFixture(more));
  ASSERT_NE(content("badge/gone/soon.svg"), "missing");
  ASSERT_TRUE(write_file_atomically(out() / "CNAME", "mine"));
  EXPECT_GT(write(SiteFixture()).num_removed, 0U);
  EXPECT_EQ(content("badge/gone/soon.svg"), "missing");
  EXPECT_EQ(content("CNAME"), "mine");
}

TEST_F(SiteWriterTest, AListThatSomebodyEditedRemovesNothingElsewhere) {
  ASSERT_TRUE(write_file_atomically(folder_.path() / "precious.txt", "keep"));
  ASSERT_TRUE(
      write_file_atomically(out() / "site.files", "../precious.txt\n/etc/hostname\n.\n..\na/../../precious.txt\n"));
  write(SiteFixture());
  EXPECT_EQ(read_file(folder_.path() / "precious.txt").value_or(""), "keep");
  EXPECT_NE(content("index.html"), "missing");
}

TEST_F(SiteWriterTest, NamesThatAreNoModelIdsBecomeNoFiles) {
  SnapshotInput input = sample_input();
  input.rows.push_back(sample_row("../../escape", "PASS"));
  input.rows.push_back(sample_row("a/<b>", "PASS"));
  write(SiteFixture(input));
  EXPECT_FALSE(fs::exists(folder_.path() / "escape.json"));
  for (const auto& entry : fs::recursive_directory_iterator(out()))
    EXPECT_FALSE(entry.path().string().contains('<')) << entry.path();
}

TEST_F(SiteWriterTest, WhatAHostDoesNotTakeIsRefusedBeforeAnythingIsWritten) {
  const SiteFixture fixture;
  const auto report =
      write_site(fixture.site, out(), {.limits = HostLimits{.files = 5, .files_per_folder = 5, .file_bytes = 1 << 20}});
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, Code::ResourceExhausted);
  EXPECT_FALSE(fs::exists(out()));
}

TEST_F(SiteWriterTest, WithoutAPageBuildThereIsNoSite) {
  SiteFixture fixture;
  fixture.site.page = std::make_shared<const ServedFiles>();
  EXPECT_EQ(write_site(fixture.site, out(), {}).error().code, Code::NotFound);
}

}  // namespace
}  // namespace willitrun
