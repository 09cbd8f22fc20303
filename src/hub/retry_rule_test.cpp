#include "hub/retry_rule.h"

#include <gtest/gtest.h>

namespace willitrun {
namespace {

constexpr RetryRule kRule = {.max_attempts = 4, .first_delay_s = 1, .max_delay_s = 60};

TEST(RetryRule, DoublesThePauseAndAddsARandomPart) {
  EXPECT_EQ(delay_before_next_try(kRule, {.number = 1}, 0), 1);
  EXPECT_EQ(delay_before_next_try(kRule, {.number = 2}, 0), 2);
  EXPECT_EQ(delay_before_next_try(kRule, {.number = 3}, 0.5), 6);
  EXPECT_EQ(delay_before_next_try(kRule, {.number = 4}, 0), std::nullopt) << "it was the last of four";
}

TEST(RetryRule, DoesWhatTheServerAsksForWithinReason) {
  EXPECT_EQ(delay_before_next_try(kRule, {.number = 1, .status = 429, .retry_after_s = 30}, 0), 30);
  EXPECT_EQ(delay_before_next_try(kRule, {.number = 1, .status = 503, .retry_after_s = 0}, 0), 0);
  EXPECT_EQ(delay_before_next_try(kRule, {.number = 1, .status = 429, .retry_after_s = 61}, 0), std::nullopt);
}

TEST(RetryRule, NeverRepeatsARefusal) {
  for (const int status : {400, 401, 403, 404, 410, 416, 501})
    EXPECT_EQ(delay_before_next_try(kRule, {.number = 1, .status = status}, 0), std::nullopt) << status;
}

TEST(RetryAfter, ReadsSecondsAndDates) {
  const Time now = parse_time("2026-10-31T08:00:00Z").value();
  EXPECT_EQ(parse_retry_after("120", now), 120);
  EXPECT_EQ(parse_retry_after("Sat, 31 Oct 2026 08:00:30 GMT", now), 30);
  EXPECT_EQ(parse_retry_after("Sat, 31 Oct 2026 07:00:00 GMT", now), 0) << "a moment that has passed";
  EXPECT_EQ(parse_retry_after("later", now), std::nullopt);
  EXPECT_EQ(parse_retry_after("-1", now), std::nullopt);
}

TEST(RateLimit, ReadsTheReset) {
  EXPECT_EQ(parse_rate_limit_reset("\"api\";r=0;t=55"), 55);
  EXPECT_EQ(parse_rate_limit_reset("\"api\";r=0"), std::nullopt);
}

}  // namespace
}  // namespace willitrun
