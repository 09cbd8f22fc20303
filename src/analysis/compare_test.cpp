#include "analysis/compare.h"

#include <gtest/gtest.h>

namespace willitrun {
namespace {

Outcome outcome(std::string_view verdict, std::string_view stage = "", std::string_view revision = "") {
  return {.model = "a/b", .verdict = verdict, .stage = stage, .revision = revision, .downloads = 10};
}

TEST(Compare, EveryPairOfVerdictsHasItsClass) {
  using enum Change;
  EXPECT_EQ(change_between(outcome("PASS"), outcome("FAIL", "load")), Regressed);
  EXPECT_EQ(change_between(outcome("PASS"), outcome("TOO_LARGE")), Regressed);
  EXPECT_EQ(change_between(outcome("FAIL", "load"), outcome("PASS")), Fixed);
  EXPECT_EQ(change_between(outcome("PASS"), outcome("PASS")), SamePass);
  EXPECT_EQ(change_between(outcome("FAIL", "load"), outcome("FAIL", "load")), SameFail);
  EXPECT_EQ(change_between(outcome("TOO_LARGE"), outcome("TOO_LARGE")), SameFail);
  EXPECT_EQ(change_between(outcome("FAIL", "load"), outcome("FAIL", "compile")), MovedStage);
  EXPECT_EQ(change_between(outcome("TOO_LARGE"), outcome("FAIL", "load")), MovedStage);
  EXPECT_EQ(change_between(outcome("FLAKY"), outcome("PASS")), Flaky);
  EXPECT_EQ(change_between(outcome("FAIL"), outcome("FLAKY")), Flaky);
  EXPECT_EQ(change_between(outcome("INDETERMINATE"), outcome("FLAKY")), Indeterminate);
  EXPECT_EQ(change_between(outcome("PASS"), outcome("INDETERMINATE")), Indeterminate);
  EXPECT_EQ(change_between(outcome("EXCLUDED"), outcome("PASS")), NotComparable);
  EXPECT_EQ(change_between(outcome("PASS"), outcome("OK_WITH_WARNINGS")), NotComparable);
  EXPECT_EQ(change_between(outcome("UNTESTED"), outcome("PASS")), Added);
  EXPECT_EQ(change_between(outcome("PASS"), outcome("UNTESTED")), Removed);
  EXPECT_EQ(change_between(outcome("UNTESTED"), outcome("UNTESTED")), std::nullopt);
}

TEST(Compare, OtherFilesExplainADifferenceButNotAnAgreement) {
  EXPECT_EQ(change_between(outcome("PASS", "", "r1"), outcome("FAIL", "load", "r2")), Change::NotComparable);
  EXPECT_EQ(change_between(outcome("PASS", "", "r1"), outcome("PASS", "", "r2")), Change::SamePass);
  EXPECT_EQ(change_between(outcome("PASS", "", "r1"), outcome("FAIL", "load", "")), Change::Regressed);
}

TEST(Compare, CountsModelsDownloadsAndTheIndeterminateShare) {
  Comparison comparison;
  comparison.add(outcome("PASS"), outcome("PASS"));
  comparison.add(outcome("PASS"), outcome("FAIL", "load"));
  comparison.add(outcome("PASS"), outcome("INDETERMINATE"));
  comparison.add(outcome("PASS"), outcome("INDETERMINATE"));
  comparison.add(outcome("UNTESTED"), outcome("PASS"));
  comparison.add(outcome("UNTESTED"), outcome("UNTESTED"));
  EXPECT_EQ(comparison.num_compared(), 4U);
  EXPECT_DOUBLE_EQ(comparison.indeterminate_share(), 0.5);
  EXPECT_EQ(comparison.num_models(Change::Regressed), 1U);
  EXPECT_EQ(comparison.downloads(Change::Indeterminate), 20);
  EXPECT_EQ(comparison.changed().size(), 4U);
}

TEST(Compare, OfNothingHasNoShare) { EXPECT_EQ(Comparison().indeterminate_share(), 0); }

}  // namespace
}  // namespace willitrun
