#include "checkpoint/name_table.h"

#include <gtest/gtest.h>

#include <string>

namespace willitrun {
namespace {

TEST(NameTable, NumbersNamesInTheirOrder) {
  NameTable table(3);
  EXPECT_EQ(table.add("b"), std::pair(0u, true));
  EXPECT_EQ(table.add("a"), std::pair(1u, true));
  EXPECT_EQ(table.add("b"), std::pair(0u, false));
  EXPECT_EQ(table.add(""), std::pair(2u, true));
  EXPECT_EQ(table.size(), 3u);
  EXPECT_EQ(table.find("a"), 1u);
  EXPECT_EQ(table.find(""), 2u);
  EXPECT_EQ(table.find("c"), std::nullopt);
}

TEST(NameTable, HoldsNothing) {
  const NameTable table(0);
  EXPECT_EQ(table.find("a"), std::nullopt);
}

TEST(NameTable, FindsEachOfMany) {
  constexpr std::uint32_t kCount = 50'000;
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < kCount; ++i) names.push_back("model.layers." + std::to_string(i) + ".weight");
  NameTable table(kCount);
  for (std::uint32_t i = 0; i < kCount; ++i) ASSERT_EQ(table.add(names[i]), std::pair(i, true));
  for (std::uint32_t i = 0; i < kCount; ++i) ASSERT_EQ(table.find(names[i]), i);
  EXPECT_EQ(table.find("model.layers.50000.weight"), std::nullopt);
}

}  // namespace
}  // namespace willitrun
