#include "verify/fluency.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace willitrun {
namespace {

using testing::HasSubstr;

TEST(JudgeProtocol, ARequestIsOneLineOfJsonWhateverTheText) {
  EXPECT_EQ(encode_judge_request(7, "a \"b\"\nc"), "{\"id\":7,\"text\":\"a \\\"b\\\"\\nc\"}\n");
  EXPECT_EQ(encode_judge_request(1, "x\xff"), "{\"id\":1,\"text\":\"x\xEF\xBF\xBD\"}\n");
}

TEST(JudgeProtocol, AReplyReadsBack) {
  const auto reply = decode_judge_reply(
      R"({"id":7,"tokens":12,"mean_nll":2.75,"repeated_trigrams":0.1,"language":"en","language_probability":0.98})");
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->id, 7);
  EXPECT_EQ(reply->figures.tokens, 12);
  EXPECT_EQ(reply->figures.mean_nll, 2.75);
  EXPECT_EQ(reply->figures.repeated_trigrams, 0.1);
  EXPECT_EQ(reply->figures.language, "en");
  EXPECT_EQ(reply->figures.language_probability, 0.98);
}

TEST(JudgeProtocol, AnEmptyTextHasNoLikelihood) {
  const auto reply = decode_judge_reply(
      R"({"id":1,"tokens":0,"mean_nll":null,"repeated_trigrams":0,"language":"en","language_probability":0.2})");
  ASSERT_TRUE(reply);
  EXPECT_FALSE(decide_fluency(reply->figures).fluent);
}

TEST(JudgeProtocol, AWorkersComplaintIsUnavailable) {
  const auto reply = decode_judge_reply(R"({"id":7,"error":"text is not a string"})");
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, Code::Unavailable);
  EXPECT_THAT(reply.error().message, HasSubstr("text is not a string"));
}

TEST(JudgeProtocol, AnythingElseIsCorruption) {
  for (const char* line :
       {"", "{", "[]", R"({"id":1})", R"({"id":"1","error":"x"})", R"({"id":1,"error":2})",
        R"({"id":1,"tokens":1,"mean_nll":"2","repeated_trigrams":0,"language":"en","language_probability":1})"}) {
    const auto reply = decode_judge_reply(line);
    ASSERT_FALSE(reply) << line;
    EXPECT_EQ(reply.error().code, Code::Corruption) << line;
  }
}

}  // namespace
}  // namespace willitrun
