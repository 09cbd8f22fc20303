#include "checkpoint/weight_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checkpoint/weight_files.h"

namespace willitrun {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(WeightIndex, ReadsMapAndTotals) {
  const auto index = parse_weight_index(
      R"({"metadata":{"total_size":40,"total_parameters":20},"weight_map":{"a":"m-1.safetensors","b":"m-2.safetensors","c":"m-1.safetensors"}})");
  ASSERT_TRUE(index);
  EXPECT_THAT(index->files, ElementsAre("m-1.safetensors", "m-2.safetensors"));
  EXPECT_EQ(index->entries[2].file, 0u);
  EXPECT_EQ(index->declared_bytes, 40u);
  EXPECT_EQ(index->declared_parameters, 20u);
}

TEST(WeightIndex, AcceptsOddMetadata) {
  for (const std::string metadata :
       {"null", "{}", R"({"total_size":1.5e9})", R"({"total_size":"12","x":[{"y":null}]})"})
    EXPECT_TRUE(parse_weight_index(R"({"metadata":)" + metadata + R"(,"weight_map":{}})")) << metadata;
}

TEST(WeightIndex, RefusesWhatIsNoIndex) {
  for (const std::string text : {"", "[]", "{}", R"({"weight_map":[]})", R"({"weight_map":{"a":1}})",
                                 R"({"weight_map":{}} x)", "{\"weight_map\":{\"\xFF\":\"f\"}}"}) {
    const auto index = parse_weight_index(text);
    ASSERT_FALSE(index) << text;
    EXPECT_EQ(index.error().code, PlanCode::IndexMismatch) << text;
  }
}

TEST(WeightIndex, RefusesFilesOutsideTheFolder) {
  for (const std::string name : {"../x.safetensors", "/etc/passwd", "a/../../x", "..\\\\x", "", "a//b", "./x"}) {
    const auto index = parse_weight_index(R"({"weight_map":{"a":")" + name + "\"}}");
    ASSERT_FALSE(index) << name;
    EXPECT_EQ(index.error().code, PlanCode::UnsafePath) << name;
  }
}

std::vector<ModelFile> listing(std::initializer_list<std::string> names) {
  std::vector<ModelFile> files;
  for (const std::string& name : names) files.push_back({name, 100});
  return files;
}

TEST(WeightFiles, PrefersTheSingleFile) {
  const auto files = listing({"model-00001-of-00001.safetensors", "model.safetensors", "model.safetensors.index.json"});
  EXPECT_FALSE(needs_index(files));
  const auto choice = choose_weights(files, nullptr);
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->files.size(), 1u);
  EXPECT_EQ(choice->notes.front().code, PlanCode::StrayWeights);
  EXPECT_FALSE(choice->contradiction);
}

TEST(WeightFiles, SaysWhichOldFormatIsThereInstead) {
  EXPECT_THAT(choose_weights(listing({"pytorch_model.bin"}), nullptr).error().message, HasSubstr(".bin"));
  EXPECT_THAT(choose_weights(listing({"m.Q4_K.gguf"}), nullptr).error().message, HasSubstr("GGUF"));
  EXPECT_THAT(choose_weights(listing({"config.json"}), nullptr).error().message, HasSubstr("no weights"));
  EXPECT_EQ(choose_weights(listing({"consolidated.safetensors"}), nullptr).error().code, PlanCode::NoWeights);
}

}  // namespace
}  // namespace willitrun
