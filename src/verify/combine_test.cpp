#include "verify/combine.h"

#include <gtest/gtest.h>

#include <vector>

namespace willitrun {
namespace {

using enum Verdict;

struct Case {
  const char* name;
  std::vector<Verdict> attempts;
  Standing standing;
  Verdict verdict;
  std::optional<std::size_t> shown;
};

class Combine : public testing::TestWithParam<Case> {};

TEST_P(Combine, SaysWhatTheAttemptsSayTogether) {
  const auto combined = combine(GetParam().attempts, GetParam().standing);
  EXPECT_EQ(combined.verdict, GetParam().verdict);
  EXPECT_EQ(combined.shown, GetParam().shown);
}

constexpr Standing kExcluded{.excluded = true, .plan = {}};
constexpr Standing kTooLarge{.excluded = false, .plan = PlanStatus::TooLarge};
constexpr Standing kFits{.excluded = false, .plan = PlanStatus::Fits};

INSTANTIATE_TEST_SUITE_P(
    Cases, Combine,
    testing::Values(Case{"nothing", {}, {}, Untested, {}}, Case{"planned_only", {}, kFits, Untested, {}},
                    Case{"one_pass", {Pass}, kFits, Pass, 0},
                    Case{"latest_pass_is_shown", {Pass, Pass}, kFits, Pass, 1}, Case{"one_fail", {Fail}, {}, Fail, 0},
                    Case{"fail_then_pass", {Fail, Pass}, {}, Flaky, 0},
                    Case{"pass_then_fail", {Pass, Fail}, {}, Flaky, 1},
                    Case{"infra_only", {Indeterminate, Indeterminate}, {}, Indeterminate, 1},
                    Case{"infra_before_pass", {Indeterminate, Pass}, {}, Pass, 1},
                    Case{"infra_after_pass", {Pass, Indeterminate}, {}, Pass, 0},
                    Case{"infra_after_fail", {Fail, Indeterminate}, {}, Fail, 0},
                    Case{"infra_does_not_make_flaky", {Indeterminate, Fail, Indeterminate, Fail}, {}, Fail, 3},
                    Case{"excluded", {}, kExcluded, Excluded, {}},
                    Case{"excluded_after_tests", {Pass}, kExcluded, Excluded, {}},
                    Case{"too_large", {}, kTooLarge, TooLarge, {}},
                    Case{"other_words_do_not_count", {Untested, TooLarge}, {}, Untested, {}}),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace willitrun
