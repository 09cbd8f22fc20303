#include "analysis/history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>

namespace willitrun {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Outcomes on the stacks 1, 2, 3, ... A verdict may carry a stage: `FAIL compile`.
std::vector<StackOutcome> line(std::initializer_list<std::string_view> verdicts) {
  std::vector<StackOutcome> outcomes;
  for (const std::string_view text : verdicts) {
    const std::size_t space = text.find(' ');
    Outcome outcome{.verdict = text.substr(0, space)};
    if (space != std::string_view::npos) outcome.stage = text.substr(space + 1);
    outcomes.push_back({std::to_string(outcomes.size() + 1), outcome});
  }
  return outcomes;
}

std::vector<std::string> transitions_of(const History& history) {
  std::vector<std::string> texts;
  for (const Transition& transition : history.transitions)
    texts.push_back(transition.first_stack + "-" + transition.last_stack + " " +
                    std::string(transition.outcome.verdict));
  return texts;
}

TEST(History, ShowsChangesOnly) {
  const History history = history_of(line({"FAIL load", "FAIL load", "FAIL compile", "PASS", "PASS"}));
  EXPECT_THAT(transitions_of(history), ElementsAre("1-2 FAIL", "3-3 FAIL", "4-5 PASS"));
  EXPECT_EQ(history.works_since, "4");
  EXPECT_FALSE(history.since_first_result);
  EXPECT_FALSE(history.first_bad);
}

TEST(History, WorksSinceIsNotTheNewestTest) {
  const History history = history_of(line({"PASS", "PASS", "UNTESTED", "PASS"}));
  EXPECT_EQ(history.works_since, "1");
  EXPECT_TRUE(history.since_first_result);
}

TEST(History, LastGoodAndFirstBadStandAroundTheNewestBreak) {
  const History history = history_of(line({"PASS", "FAIL load", "PASS", "FAIL compile", "FAIL execute"}));
  EXPECT_EQ(history.last_good, "3");
  EXPECT_EQ(history.first_bad, "4");
  EXPECT_FALSE(history.works_since);
}

TEST(History, InconclusiveResultsNeitherBreakNorMend) {
  const History history = history_of(line({"PASS", "INDETERMINATE", "PASS", "EXCLUDED", "SKIPPED"}));
  EXPECT_EQ(history.works_since, "1");
  EXPECT_EQ(history.num_inconclusive, 3U);
  EXPECT_THAT(transitions_of(history), ElementsAre("1-3 PASS"));
}

TEST(History, FlakyIsNotGood) {
  const History history = history_of(line({"PASS", "FLAKY"}));
  EXPECT_EQ(history.first_bad, "2");
}

TEST(History, WhatNeverWorkedHasNoLastGood) {
  const History history = history_of(line({"FAIL load", "TOO_LARGE"}));
  EXPECT_FALSE(history.last_good);
  EXPECT_FALSE(history.first_bad);
  EXPECT_THAT(history_of({}).transitions, IsEmpty());
}

TEST(Bisect, NamesTheStackInTheMiddle) {
  const Bisection bisection = bisect(line({"PASS", "UNTESTED", "INDETERMINATE", "UNTESTED", "FAIL load"}));
  EXPECT_THAT(bisection.between, ElementsAre("2", "3", "4"));
  EXPECT_EQ(bisection.next, "3");
}

TEST(Bisect, EndsWhenNothingLiesBetween) {
  const Bisection bisection = bisect(line({"PASS", "PASS", "FAIL load", "UNTESTED"}));
  EXPECT_EQ(bisection.last_good, "2");
  EXPECT_EQ(bisection.first_bad, "3");
  EXPECT_FALSE(bisection.next);
}

TEST(Bisect, HasNothingToDoWhileTheNewestPasses) {
  EXPECT_FALSE(bisect(line({"FAIL load", "PASS"})).first_bad);
  EXPECT_FALSE(bisect(line({"UNTESTED"})).first_bad);
}

/// Testing what bisect asks for always ends at the stack where it broke, in at most log2(n) + 1 tests.
TEST(Bisect, FindsTheBreakOfEveryLine) {
  for (std::size_t size = 2; size <= 40; ++size) {
    for (std::size_t broken = 1; broken < size; ++broken) {
      std::vector<StackOutcome> outcomes;
      for (std::size_t i = 0; i < size; ++i) outcomes.push_back({std::to_string(i), {.verdict = "UNTESTED"}});
      outcomes.front().outcome.verdict = "PASS";
      outcomes.back().outcome.verdict = "FAIL";
      std::size_t tests = 0;
      Bisection bisection = bisect(outcomes);
      for (; bisection.next; bisection = bisect(outcomes), ++tests) {
        const auto at = std::stoul(*bisection.next);
        outcomes[at].outcome.verdict = at < broken ? "PASS" : "FAIL";
      }
      EXPECT_EQ(bisection.first_bad, std::to_string(broken));
      EXPECT_LE(tests, 6U);
    }
  }
}

}  // namespace
}  // namespace willitrun
