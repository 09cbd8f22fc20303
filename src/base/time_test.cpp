#include "base/time.h"

#include <gtest/gtest.h>

namespace willitrun {
namespace {

TEST(TimeText, RoundTripsToTheMillisecond) {
  for (const char* text : {"1970-01-01T00:00:00.000Z", "2026-10-31T08:05:00.123Z", "2024-02-29T23:59:59.999Z"}) {
    const auto time = parse_time(text);
    ASSERT_TRUE(time) << text;
    EXPECT_EQ(to_text(*time), text);
  }
}

TEST(TimeText, ReadsDatesAndWholeSeconds) {
  EXPECT_EQ(to_text(parse_time("2026-08-22").value()), "2026-08-22T00:00:00.000Z");
  EXPECT_EQ(to_text(parse_time("2026-08-22T01:02:03Z").value()), "2026-08-22T01:02:03.000Z");
}

TEST(TimeText, RefusesWhatIsNoDate) {
  for (const char* text :
       {"", "2026", "2026-02-30", "2026-08-22T25:00:00Z", "2026-08-22T01:02:03", "2026-08-22T01:02:03.12Z"})
    EXPECT_FALSE(parse_time(text)) << text;
}

}  // namespace
}  // namespace willitrun
