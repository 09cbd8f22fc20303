#include "selection/selection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace willitrun {
namespace {

using testing::ElementsAre;

const Time kNow = *parse_time("2026-11-30");

SelectionRule rule() {
  SelectionRule rule;
  rule.tasks = {"text-generation", "image-text-to-text"};
  rule.libraries = {"transformers"};
  rule.formats = {"safetensors"};
  rule.top_downloads = 2;
  rule.top_trending = 1;
  rule.max_parameters = 100;
  return rule;
}

RankedModel model(std::string id) {
  RankedModel model;
  model.id = std::move(id);
  model.task = "text-generation";
  model.library = "transformers";
  model.formats = {"onnx", "safetensors"};
  model.downloads_rank = 1;
  return model;
}

std::string reason_of(const RankedModel& model, const std::vector<Exclusion>& exclusions = {}) {
  const auto choices = choose_models({model}, rule(), exclusions, kNow);
  return (choices[0].is_selected ? "in: " : "out: ") + choices[0].reason;
}

TEST(Selection, SaysWhyEachModelIsInOrOut) {
  RankedModel other = model("a/b");
  EXPECT_EQ(reason_of(other), "in: place 1 by downloads");
  other.downloads_rank = 3;
  EXPECT_EQ(reason_of(other), "out: place 3 by downloads: not among the first 2 and 1");
  other.trending_rank = 1;
  EXPECT_EQ(reason_of(other), "in: place 3 by downloads, place 1 by trending score");
  other.parameters = 101;
  EXPECT_EQ(reason_of(other), "out: it has 101 parameters, more than 100");
  other.formats = {"gguf"};
  EXPECT_EQ(reason_of(other), "out: its weights are gguf only");
  other.library = "diffusers";
  EXPECT_EQ(reason_of(other), "out: its library is 'diffusers'");
  other.task = "";
  EXPECT_EQ(reason_of(other), "out: its task is not known");
  other.removed = true;
  EXPECT_EQ(reason_of(other), "out: no longer on the Hub");
  RankedModel unranked = model("a/b");
  unranked.downloads_rank.reset();
  EXPECT_EQ(reason_of(unranked), "out: no place in a list: not among the first 2 and 1");
  RankedModel unknown = model("a/b");
  unknown.library.clear();
  unknown.formats.clear();
  EXPECT_EQ(reason_of(unknown), "in: place 1 by downloads") << "a list that does not tell keeps nobody out";
}

TEST(Selection, ExclusionsHoldUntilTheyExpire) {
  Exclusion exclusion{"A/*", ExclusionKind::Incompatible, "no such kernel", "me", *parse_time("2026-12-01")};
  EXPECT_EQ(reason_of(model("a/b"), {exclusion}), "out: excluded (incompatible): no such kernel");
  exclusion.expires = *parse_time("2026-11-30");
  EXPECT_EQ(reason_of(model("a/b"), {exclusion}), "in: place 1 by downloads");
  exclusion.expires.reset();
  RankedModel low = model("a/b");
  low.downloads_rank = 9;
  const auto choices = choose_models({low}, rule(), {exclusion}, kNow);
  EXPECT_EQ(choices[0].exclusion->reason, "no such kernel") << "shown also where the model would not be selected";
}

TEST(Selection, BestPlacesComeFirstAndTasksTakeTurns) {
  std::vector<RankedModel> models = {model("t/2"), model("i/1"), model("t/1"), model("out/1")};
  models[0].downloads_rank = 2;
  models[1].task = "image-text-to-text";
  models[3].task = "other";
  std::vector<std::string> order;
  for (const Choice& choice : choose_models(models, rule(), {}, kNow)) order.push_back(choice.model.id);
  EXPECT_THAT(order, ElementsAre("t/1", "i/1", "t/2", "out/1"));
}

TEST(Selection, StarsStandForAnyCharacters) {
  const auto names = [](const char* pattern, const char* id) { return names_model(Exclusion{.model = pattern}, id); };
  EXPECT_TRUE(names("*-AWQ*", "Qwen/Qwen3-8B-awq"));
  EXPECT_TRUE(names("*-AWQ*", "x/a-AWQ-int4"));
  EXPECT_TRUE(names("a/b", "A/B"));
  EXPECT_TRUE(names("a*b*c", "a-b-b-c"));
  EXPECT_TRUE(names("*", "anything/at-all"));
  EXPECT_FALSE(names("a/b", "a/bc"));
  EXPECT_FALSE(names("*-AWQ*", "x/AWQ"));
  EXPECT_FALSE(names("", "a/b"));
}

TEST(Ranks, AreGivenPerTaskToWhatTheHubHas) {
  std::vector<RankedModel> models(6);
  for (std::size_t i = 0; i < models.size(); ++i) models[i].id = std::string(1, static_cast<char>('a' + i));
  for (std::size_t i = 0; i < 5; ++i) models[i].downloads = i < 2 ? 7 : 9;
  models[1].task = "other";
  models[3].removed = true;
  models[4].local = true;
  models[0].trending_score = 0;
  models[2].trending_score = 0.5;
  rank_models(models);
  std::vector<int> ranks, trending;
  for (const RankedModel& ranked : models) {
    ranks.push_back(ranked.downloads_rank.value_or(-1));
    trending.push_back(ranked.trending_rank.value_or(-1));
  }
  EXPECT_THAT(ranks, ElementsAre(2, 1, 1, -1, -1, -1));
  EXPECT_THAT(trending, ElementsAre(-1, -1, 1, -1, -1, -1));
}

}  // namespace
}  // namespace willitrun
