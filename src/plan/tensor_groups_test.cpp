#include "plan/tensor_groups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace willitrun {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

/// One-byte tensors of the given names, in their order.
Checkpoint checkpoint_of(const std::vector<std::string>& names) {
  std::string text = "{";
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i ? ",\"" : "\"") + names[i] + R"(":{"dtype":"U8","shape":[1],"data_offsets":[)" + std::to_string(i) +
            "," + std::to_string(i + 1) + "]}";
  text += "}";
  const std::uint64_t size = 8 + text.size() + names.size();
  auto header = parse_header(std::move(text), size);
  EXPECT_TRUE(header);
  Checkpoint checkpoint(*ModelConfig::parse("{}"));
  checkpoint.shards.push_back({"model.safetensors", std::move(*header)});
  return checkpoint;
}

std::vector<std::vector<std::uint32_t>> rows(const NumberRows& numbers) {
  std::vector<std::vector<std::uint32_t>> all;
  for (std::size_t i = 0; i < numbers.size(); ++i) all.emplace_back(numbers[i].begin(), numbers[i].end());
  return all;
}

TEST(NumberRows, LosesOnlyWhatIsErased) {
  NumberRows numbers(2);
  for (const std::uint32_t i : {1u, 2u, 3u, 4u}) {
    numbers.push_back(i);
    numbers.push_back(10 * i);
    numbers.end_row();
  }
  numbers.erase_if([](NumberRows::Row row) { return row[0] % 2 == 0; });
  EXPECT_THAT(rows(numbers), ElementsAre(ElementsAre(1, 10), ElementsAre(3, 30)));
}

TEST(GroupTensors, GathersWhatDiffersInNumbersOnly) {
  const Checkpoint checkpoint = checkpoint_of({"layers.0.q", "layers.0.experts.0.up", "layers.0.experts.9.up",
                                               "layers.7.q", "layers.7.experts.0.up", "layers.7.experts.9.up", "head"});
  const auto groups = group_tensors(checkpoint);
  ASSERT_THAT(groups, SizeIs(3));
  EXPECT_EQ(groups[0].name, "layers." + stand_in(0) + ".q");
  EXPECT_THAT(rows(groups[0].numbers), ElementsAre(ElementsAre(0), ElementsAre(7)));
  EXPECT_EQ(groups[1].name, "layers." + stand_in(0) + ".experts." + stand_in(1) + ".up");
  EXPECT_THAT(rows(groups[1].numbers),
              ElementsAre(ElementsAre(0, 0), ElementsAre(0, 9), ElementsAre(7, 0), ElementsAre(7, 9)));
  EXPECT_EQ(groups[2].name, "head");
}

TEST(GroupTensors, KeepsSmallNumbers) {
  const auto groups = group_tensors(checkpoint_of({"a.0.w", "a.1.w", "b.0.w", "b.5.w"}));
  ASSERT_THAT(groups, SizeIs(3));
  EXPECT_EQ(groups[0].name, "a.0.w");
  EXPECT_EQ(groups[1].name, "a.1.w");
  EXPECT_THAT(rows(groups[2].numbers), ElementsAre(ElementsAre(0), ElementsAre(5)));
}

TEST(GroupTensors, DoesNotTakeAStarForANumber) {
  for (const auto& names :
       {std::vector<std::string>{"a.*.b", "a.5.b", "a.*.b.6"}, {"a.5.b", "a.*.b"}, {"*", "5"}, {"5", "*"}})
    EXPECT_THAT(group_tensors(checkpoint_of(names)), SizeIs(names.size()));
}

TEST(GroupTensors, TellsNamesThatBeginAlike) {
  const auto groups = group_tensors(checkpoint_of({"a.4", "a.4.b", "a.5", "a.5.b", "a.", "a", "a.6.bb", "a.1234567"}));
  EXPECT_THAT(groups, SizeIs(6));
}

}  // namespace
}  // namespace willitrun
