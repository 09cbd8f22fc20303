#include "lookup/model_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lookup/sample_snapshot.h"

namespace willitrun {
namespace {

using testing::HasSubstr;

ModelPage page_of(const LookupSnapshot& snapshot, std::string_view id, const StackFilter& filter = {}) {
  return make_model_page(snapshot, find_model(snapshot, id).value(), filter).value();
}

TEST(ModelPage, ListsAllResultsNewestStackFirst) {
  const auto snapshot = snapshot_of(sample_input());
  const ModelPage page = page_of(*snapshot, "qwen/qwen3-0.6b");
  ASSERT_EQ(page.cells.size(), 4U);
  EXPECT_EQ(short_name(snapshot->stacks()[snapshot->stack_of(*page.cells[0].cell)]), "2.28.1/5.24.0");
  EXPECT_EQ(page.facts.downloads, 9'000'000);
  EXPECT_EQ(page.facts.downloads_rank, 1);
}

TEST(ModelPage, TheFilterChoosesWhichResultIsShown) {
  const auto snapshot = snapshot_of(sample_input());
  const ModelPage page = page_of(*snapshot, "Qwen/Qwen3-0.6B", {.neuronx_cc = "2.27", .transformers = "5.10"});
  EXPECT_EQ(snapshot->row_of(*page.cells[page.shown].cell).neuronx_cc, "2.27.1");
  EXPECT_THAT(make_model_page(*snapshot, page.model, {.neuronx_cc = "9"}).error().message,
              HasSubstr("no result on that stack"));
}

TEST(ModelPage, TheAskedTargetComesFirstAndOthersKeepTheirNames) {
  const auto snapshot = snapshot_of(sample_input());
  const ModelPage page = page_of(*snapshot, "openai-community/gpt2", {.target = "trn2-emulated"});
  ASSERT_EQ(page.cells.size(), 2U);
  EXPECT_EQ(snapshot->row_of(*page.cells[0].cell).target, "trn2-emulated");
  EXPECT_EQ(snapshot->row_of(*page.cells[1].cell).target, "cpu");
}

TEST(ModelPage, AnUntestedModelHasFactsOnly) {
  const auto snapshot = snapshot_of(sample_input());
  const ModelPage page = page_of(*snapshot, "TheBloke/Llama-2-7B-GGUF");
  EXPECT_TRUE(page.cells.empty());
  EXPECT_EQ(page.facts.verdict, "EXCLUDED");
}

TEST(FindModel, NamesModelsWithLikeNames) {
  const auto snapshot = snapshot_of(sample_input());
  EXPECT_EQ(find_model(*snapshot, "llama3.1").error().message,
            "this home knows no model 'llama3.1': do you mean meta-llama/Llama-3.1-8B-Instruct");
  EXPECT_EQ(find_model(*snapshot, "zzz").error().message, "this home knows no model 'zzz'");
}

TEST(StackLines, NameEveryStackOfTheTargetAlsoUntestedOnes) {
  const auto snapshot = snapshot_of(sample_input());
  const auto trn2 = snapshot->find_target("trn2").value();
  const auto lines =
      stack_lines(*snapshot, trn2, find_model(*snapshot, "meta-llama/Llama-3.1-8B-Instruct").value(), Axis::Compiler);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].fixed, "Transformers 5.10.2");
  EXPECT_EQ(lines[0].outcomes[0].outcome.verdict, "UNTESTED");
  EXPECT_EQ(lines[1].outcomes[0].outcome.verdict, "PASS");
  EXPECT_EQ(lines[1].outcomes[1].outcome.failure_class, "compiler_internal");
  EXPECT_EQ(history_of(lines[1].outcomes).first_bad, "2.28.1/5.24.0");
}

TEST(CacheCommand, NamesTheCompilersPrefix) {
  Stack stack;
  EXPECT_EQ(cache_command(stack), "");
  stack.neuronx_cc = "2.28.1";
  EXPECT_EQ(cache_command(stack),
            "hf buckets sync hf://buckets/aws-neuron/torch-neuronx-neff-cache/neuronxcc-2.28.1 /tmp/neff_cache");
}

TEST(CommonPrefix, EndsAtACharacter) {
  EXPECT_EQ(common_prefix("abc", "abd"), 2U);
  EXPECT_EQ(common_prefix("abc", "abc"), 3U);
  EXPECT_EQ(common_prefix("a\xC3\xA9", "a\xC3\xA8"), 1U);
  EXPECT_EQ(common_prefix("", "x"), 0U);
}

}  // namespace
}  // namespace willitrun
