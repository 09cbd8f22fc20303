#include "server/responder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/site_fixture.h"

namespace willitrun {
namespace {

using testing::HasSubstr;

class FixedClock : public Clock {
 public:
  Time now() const override { return {}; }
  double monotonic_s() const override { return seconds; }

  double seconds = 100;
};

TEST(RateLimit, LetsABurstThroughAndThenASteadyPace) {
  RateLimit limit(2, 0.5);
  EXPECT_TRUE(limit.allow("a", 0));
  EXPECT_TRUE(limit.allow("a", 0));
  EXPECT_FALSE(limit.allow("a", 1));
  EXPECT_TRUE(limit.allow("b", 1));
  EXPECT_TRUE(limit.allow("a", 2.5));
  EXPECT_FALSE(limit.allow("a", 2.5));
}

TEST(RateLimit, ForgetsCallersThatAreQuietForLong) {
  RateLimit limit(1, 1);
  for (int i = 0; i < 5000; ++i) EXPECT_TRUE(limit.allow(std::to_string(i), i));
  EXPECT_FALSE(limit.allow("4999", 4999));
}

class ResponderTest : public testing::Test {
 protected:
  SiteFixture fixture_;
  FixedClock clock_;
  Responder responder_{fixture_.site, clock_};
};

TEST_F(ResponderTest, NewContentIsAnsweredFromAtOnce) {
  const Request request{.target = "/api/v1/models/new/model"};
  EXPECT_EQ(responder_.answer(request).status, 404);
  SnapshotInput input = sample_input();
  input.rows.push_back(sample_row("new/model", "PASS"));
  responder_.replace(std::make_shared<SiteContent>(SiteContent{snapshot_of(input), fixture_.site.content.data}));
  EXPECT_EQ(responder_.answer(request).status, 200);
}

TEST_F(ResponderTest, AWriterThatHurriesIsSlowedDownAndReadersAreNot) {
  Request post{.method = Method::Post, .target = "/api/v1/queue", .body = R"({"model_id":"a/b"})"};
  post.content_type = "application/json";
  post.host = "localhost";
  post.client = "127.0.0.1";
  post.from_here = true;
  int status = 201;
  for (int i = 0; i < 100 && status != 429; ++i) status = responder_.answer(post).status;
  EXPECT_EQ(status, 429);
  EXPECT_EQ(responder_.answer(Request{.target = "/api/v1/queue", .client = "127.0.0.1"}).status, 200);
  clock_.seconds += 60;
  EXPECT_EQ(responder_.answer(post).status, 200);
}

TEST_F(ResponderTest, FiguresCountAnswersByRouteAndNeverByAddress) {
  responder_.answer(Request{.target = "/api/v1/models/Qwen/Qwen3-0.6B"});
  responder_.answer(Request{.target = "/secret-address"});
  const std::string text(responder_.answer(Request{.target = "/metrics"}).body.bytes());
  EXPECT_THAT(text, HasSubstr(R"(willitrun_answers_total{route="/api/v1/models/{owner}/{name}",status="200"} 1)"));
  EXPECT_THAT(text, testing::Not(HasSubstr("secret-address")));
  EXPECT_THAT(text, HasSubstr("willitrun_results "));
}

}  // namespace
}  // namespace willitrun
