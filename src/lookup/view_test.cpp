#include "lookup/view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lookup/sample_snapshot.h"

namespace willitrun {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> lines_of(const LookupSnapshot& snapshot, const View& view) {
  std::vector<std::string> lines;
  for (const ViewRow& row : view.rows) {
    const Row full = row_of(snapshot, row);
    lines.push_back(*full.model_id + " " + *full.verdict);
  }
  return lines;
}

std::vector<std::string> lines_of(const ViewRequest& request) {
  const auto snapshot = snapshot_of(sample_input());
  return lines_of(*snapshot, make_view(*snapshot, request).value());
}

TEST(View, DownloadsShowsUntestedAndExcludedModelsToo) {
  EXPECT_THAT(lines_of({}),
              ElementsAre("Qwen/Qwen3-0.6B PASS", "meta-llama/Llama-3.1-8B-Instruct FAIL", "openai/gpt-oss-20b FLAKY",
                          "Qwen/Qwen2.5-VL-3B-Instruct UNTESTED", "openai-community/gpt2 UNTESTED",
                          "TheBloke/Llama-2-7B-GGUF EXCLUDED", "big/model-700b TOO_LARGE", "private/folder PASS"));
}

TEST(View, AnExcludedModelSaysWhy) {
  const auto snapshot = snapshot_of(sample_input());
  ViewRequest request{.text = "gguf"};
  const View view = make_view(*snapshot, request).value();
  ASSERT_EQ(view.rows.size(), 1U);
  EXPECT_EQ(row_of(*snapshot, view.rows[0]).exclusion, "no safetensors");
}

TEST(View, SelectedKeepsTheSelectionsOrder) {
  EXPECT_THAT(lines_of({.view = ViewKind::Selected}),
              ElementsAre("openai/gpt-oss-20b FLAKY", "Qwen/Qwen3-0.6B PASS", "openai-community/gpt2 UNTESTED"));
}

TEST(View, TrendingFollowsTheTasksRankOrTheScoreOverAllTasks) {
  EXPECT_THAT(lines_of({.view = ViewKind::Trending, .task = "text-generation", .limit = 2}),
              ElementsAre("openai/gpt-oss-20b FLAKY", "meta-llama/Llama-3.1-8B-Instruct FAIL"));
  EXPECT_THAT(lines_of({.view = ViewKind::Trending, .limit = 2}),
              ElementsAre("openai/gpt-oss-20b FLAKY", "Qwen/Qwen2.5-VL-3B-Instruct UNTESTED"));
}

TEST(View, ShowsTheNewestStackThatHasResults) {
  const auto snapshot = snapshot_of(sample_input());
  EXPECT_EQ(short_name(*make_view(*snapshot, {}).value().stack), "2.28.1/5.24.0");
}

TEST(View, AnOlderStackIsShownOnRequest) {
  EXPECT_THAT(lines_of({.stack = {.neuronx_cc = "2.27"}, .text = "llama"}),
              ElementsAre("meta-llama/Llama-3.1-8B-Instruct PASS", "TheBloke/Llama-2-7B-GGUF EXCLUDED"));
  EXPECT_THAT(lines_of({.stack = {.transformers = "5.10"}, .text = "llama instruct"}),
              ElementsAre("meta-llama/Llama-3.1-8B-Instruct UNTESTED"));
}

TEST(View, AStackWithoutResultsIsAnErrorThatNamesTheOthers) {
  const auto snapshot = snapshot_of(sample_input());
  const auto view = make_view(*snapshot, {.stack = {.neuronx_cc = "2.29", .transformers = "5"}});
  ASSERT_FALSE(view);
  EXPECT_EQ(view.error().message,
            "no result on target 'trn2' with neuronx-cc 2.29 and Transformers 5: there are 2.27.1/5.10.2, "
            "2.27.1/5.24.0, 2.28.1/5.10.2, 2.28.1/5.24.0");
}

TEST(View, EmulatedAndCpuResultsAreNotTrainiumResults) {
  EXPECT_THAT(lines_of({.text = "gpt2"}), ElementsAre("openai-community/gpt2 UNTESTED"));
  EXPECT_THAT(lines_of({.stack = {.target = "trn2-emulated"}, .text = "gpt2"}),
              ElementsAre("openai-community/gpt2 PASS"));
  EXPECT_THAT(lines_of({.stack = {.target = "cpu"}, .text = "gpt2"}), ElementsAre("openai-community/gpt2 PASS"));
}

TEST(View, ATargetWithoutResultsShowsModelsUntested) {
  EXPECT_THAT(lines_of({.stack = {.target = "trn3"}, .text = "gpt2"}), ElementsAre("openai-community/gpt2 UNTESTED"));
}

TEST(View, PagesJoinWithoutGapsOrRepeats) {
  const auto snapshot = snapshot_of(sample_input());
  std::vector<std::string> all;
  ViewRequest request{.limit = 3};
  for (;;) {
    const View view = make_view(*snapshot, request).value();
    EXPECT_EQ(view.total, 8U);
    for (std::string& line : lines_of(*snapshot, view)) all.push_back(std::move(line));
    if (!view.next) break;
    request.cursor = *view.next;
  }
  EXPECT_EQ(all, lines_of({}));
  request.cursor = "three";
  EXPECT_THAT(make_view(*snapshot, request).error().message, HasSubstr("no cursor"));
}

TEST(View, RelaxesATextThatNoNameHolds) {
  const auto snapshot = snapshot_of(sample_input());
  const View view = make_view(*snapshot, {.text = "llama3.1"}).value();
  EXPECT_TRUE(view.relaxed);
  EXPECT_EQ(view.total, 1U);
  EXPECT_FALSE(make_view(*snapshot, {.text = "llama-3.1"}).value().relaxed);
}

TEST(View, CoverageSpeaksOfTheWholeViewWhateverIsSearched) {
  const auto snapshot = snapshot_of(sample_input());
  const View view = make_view(*snapshot, {.task = "text-generation", .text = "qwen"}).value();
  EXPECT_EQ(view.total, 1U);
  EXPECT_EQ(view.coverage.num_models, 6U);
  EXPECT_NEAR(view.coverage.share_of("PASS"), 9'000'000 / 20'010'000.0, 1e-9);
}

TEST(View, QueryAndSortNarrowAndOrder) {
  EXPECT_THAT(lines_of({.where = parse_query("not is:untested|excluded sort:model").value()}),
              ElementsAre("big/model-700b TOO_LARGE", "meta-llama/Llama-3.1-8B-Instruct FAIL",
                          "openai/gpt-oss-20b FLAKY", "private/folder PASS", "Qwen/Qwen3-0.6B PASS"));
}

TEST(View, OfAnEmptyHomeIsEmpty) {
  const auto snapshot = snapshot_of({});
  const View view = make_view(*snapshot, {.text = "qwen"}).value();
  EXPECT_EQ(view.total, 0U);
  EXPECT_FALSE(view.stack);
}

}  // namespace
}  // namespace willitrun
