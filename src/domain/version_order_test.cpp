#include "domain/version_order.h"

#include <gtest/gtest.h>

#include <vector>

namespace willitrun {
namespace {

TEST(CompareVersions, OrdersAsPeopleRead) {
  const std::vector<std::string_view> ascending = {"",          "2.9",    "2.27.0", "2.28.0rc1",   "2.28.0",
                                                   "2.28.0+a1", "2.28.1", "5.10.2", "5.24.0.dev0", "5.24.0"};
  for (std::size_t i = 0; i < ascending.size(); ++i)
    for (std::size_t j = 0; j < ascending.size(); ++j)
      EXPECT_TRUE(compare_versions(ascending[i], ascending[j]) == (i <=> j)) << ascending[i] << " and " << ascending[j];
}

TEST(CompareVersions, TakesNumbersOfAnyLength) {
  EXPECT_TRUE(compare_versions("1.100000000000000000000000000001", "1.99999999999999999999999999999") > 0);
  EXPECT_TRUE(compare_versions("1.007", "1.7") == 0);
}

TEST(VersionIsWithin, CutsAtTheEndOfANumber) {
  EXPECT_TRUE(version_is_within("2.28.7631.0+1a", "2.28"));
  EXPECT_TRUE(version_is_within("2.28", "2.28"));
  EXPECT_TRUE(version_is_within("2.28.1", "2.28."));
  EXPECT_FALSE(version_is_within("2.280.1", "2.28"));
  EXPECT_FALSE(version_is_within("2.28", "2.28.1"));
  EXPECT_FALSE(version_is_within("2.28", ""));
}

TEST(CompareStacks, LooksAtTheCompilerFirst) {
  Stack old;
  old.neuronx_cc = "2.27.1";
  old.transformers = "5.24.0";
  Stack recent;
  recent.neuronx_cc = "2.28.0";
  recent.transformers = "5.10.2";
  EXPECT_TRUE(compare_stacks(old, recent) < 0);
  EXPECT_TRUE(compare_stacks(old, old) == 0);
  recent.neuronx_cc = old.neuronx_cc;
  EXPECT_TRUE(compare_stacks(old, recent) > 0);
}

}  // namespace
}  // namespace willitrun
