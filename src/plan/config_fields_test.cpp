#include "plan/config_fields.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace willitrun {
namespace {

using testing::ElementsAre;

ConfigFields fields(std::string_view config, ConfigRecord record = {}) {
  return {ModelConfig::parse(config).value(), std::move(record)};
}

ConfigRecord with_layers(LayerRule rule) {
  ConfigRecord record;
  record.layers = std::move(rule);
  return record;
}

TEST(ConfigFields, ReadsAFieldUnderEachOfItsNames) {
  ConfigRecord record;
  record.aliases = {{"num_attention_heads", "n_heads"}};
  record.defaults = {{"num_attention_heads", 12}};
  EXPECT_EQ(fields(R"({"n_heads": 4})", record).integer("num_attention_heads"), 4);
  EXPECT_EQ(fields(R"({"num_attention_heads": 8})", record).integer("n_heads"), 8);
  EXPECT_EQ(fields("{}", record).integer("num_attention_heads"), 12);
  EXPECT_FALSE(fields("{}", record).integer("head_dim"));
}

TEST(ConfigFields, DerivesWhatIsAbsentOrNull) {
  ConfigRecord record;
  record.derived = {{"head_dim", {Factor{"hidden_size", {"/num_attention_heads"}}}}};
  EXPECT_EQ(fields(R"({"hidden_size": 896, "num_attention_heads": 14})", record).integer("head_dim"), 64);
  EXPECT_EQ(fields(R"({"hidden_size": 896, "num_attention_heads": 14, "head_dim": null})", record).integer("head_dim"),
            64);
  EXPECT_EQ(fields(R"({"hidden_size": 896, "num_attention_heads": 14, "head_dim": 128})", record).integer("head_dim"),
            128);
  EXPECT_FALSE(fields(R"({"hidden_size": 896, "num_attention_heads": 0})", record).integer("head_dim"));
}

TEST(ConfigFields, StartsBeforeTheCycle) {
  const auto record = with_layers({.start = {"a"}, .cycle = {"b", "c"}});
  EXPECT_THAT(fields(R"({"num_hidden_layers": 5})", record).layer_types(), ElementsAre("a", "b", "c", "b", "c"));
  EXPECT_THAT(fields(R"({"num_hidden_layers": 1})", record).layer_types(), ElementsAre("a"));
}

TEST(ConfigFields, FollowsTheIntervalThatTheConfigurationGives) {
  const auto record = with_layers({.cycle = {"linear", "linear", "linear", "full"}, .interval_field = "interval"});
  EXPECT_THAT(fields(R"({"num_hidden_layers": 4, "interval": 2})", record).layer_types(),
              ElementsAre("linear", "full", "linear", "full"));
  EXPECT_THAT(fields(R"({"num_hidden_layers": 4, "interval": 0})", record).layer_types(),
              ElementsAre("linear", "linear", "linear", "full"));
}

TEST(ConfigFields, ReadsKindsOfLayersFromAnOlderListOfNumbers) {
  const auto flat = with_layers({.listed_by = "ratios", .listed = {{"0", "sliding_attention"}, {"4", "sparse"}}});
  EXPECT_THAT(fields(R"({"num_hidden_layers": 2, "ratios": [4, 0, 4]})", flat).layer_types(),
              ElementsAre("sparse", "sliding_attention"));
  const auto nested = with_layers({.listed_by = "sparse.freq", .listed = {{"1", "sparse"}}});
  EXPECT_THAT(fields(R"({"num_hidden_layers": 2, "sparse": {"freq": [0, 1]}})", nested).layer_types(),
              ElementsAre("full_attention", "sparse"));
  EXPECT_THAT(fields(R"({"num_hidden_layers": 1})", nested).layer_types(), ElementsAre("full_attention"));
}

TEST(ConfigFields, KnowsOldNamesOfKindsAndLayersWithoutACacheOfTheirOwn) {
  const auto record = with_layers({.renamed = {{"mamba", "linear_attention"}}});
  EXPECT_THAT(
      fields(R"({"layer_types": ["mamba", "attention", "conv"], "num_kv_shared_layers": 1})", record).layer_types(),
      ElementsAre("linear_attention", "full_attention"));
}

TEST(ConfigFields, SlidesOnlyFromTheLayerThatIsSaid) {
  const auto record = with_layers({.cycle = {"full_attention"}, .windowed_by = "use_sliding_window"});
  EXPECT_THAT(
      fields(R"({"num_hidden_layers": 3, "sliding_window": 8, "use_sliding_window": true, "max_window_layers": 2})",
             record)
          .layer_types(),
      ElementsAre("full_attention", "full_attention", "sliding_attention"));
  EXPECT_THAT(
      fields(R"({"num_hidden_layers": 1, "sliding_window": 8, "use_sliding_window": false})", record).layer_types(),
      ElementsAre("full_attention"));
}

TEST(ConfigFields, AFormulaThatOverflowsHasNoValue) {
  const Formula product = {{Factor{"a", {}}, Factor{"a", {}}}};
  EXPECT_EQ(fields(R"({"a": 3})").evaluate(product), 9u);
  EXPECT_FALSE(fields(R"({"a": 9223372036854775807})").evaluate(product));
  EXPECT_FALSE(fields("{}").evaluate(product));
}

}  // namespace
}  // namespace willitrun
