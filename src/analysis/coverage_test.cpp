#include "analysis/coverage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace willitrun {
namespace {

using testing::ElementsAre;

TEST(Coverage, WeighsVerdictsByDownloads) {
  const std::vector<Outcome> outcomes = {{.model = "a", .verdict = "PASS", .downloads = 71},
                                         {.model = "b", .verdict = "UNTESTED", .downloads = 9},
                                         {.model = "c", .verdict = "FAIL", .downloads = 20},
                                         {.model = "d", .verdict = "FAIL"}};
  const Coverage coverage = coverage_of(outcomes);
  EXPECT_DOUBLE_EQ(coverage.share_of("PASS"), 0.71);
  EXPECT_DOUBLE_EQ(coverage.share_of("FLAKY"), 0);
  EXPECT_THAT(coverage.parts,
              ElementsAre(CoveragePart{"PASS", 1, 71}, CoveragePart{"FAIL", 2, 20}, CoveragePart{"UNTESTED", 1, 9}));
}

TEST(Coverage, CountsModelsWhenDownloadsAreUnknown) {
  const std::vector<Outcome> outcomes = {
      {.verdict = "PASS"}, {.verdict = "skipped"}, {.verdict = "PASS"}, {.verdict = "FAIL"}};
  const Coverage coverage = coverage_of(outcomes);
  EXPECT_DOUBLE_EQ(coverage.share_of("PASS"), 0.5);
  EXPECT_EQ(coverage.parts.back().verdict, "skipped");
}

TEST(Coverage, OfNothingIsZero) { EXPECT_EQ(coverage_of({}).share_of("PASS"), 0); }

}  // namespace
}  // namespace willitrun
