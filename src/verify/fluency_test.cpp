#include "verify/fluency.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "os/file.h"

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

constexpr const char* kChat =
    "system\nYou are a helpful AI assistant named SmolLM, trained by Hugging Face\nuser\nWhat is the capital of "
    "France?\n"
    "assistant\n";

TEST(IsEcho, ACopyOfThePromptOrOfAPartOfIt) {
  EXPECT_TRUE(is_echo(kChat, kChat));
  EXPECT_TRUE(is_echo("You are a helpful AI assistant named SmolLM, trained by Hugging Face", kChat));
  EXPECT_TRUE(is_echo("you are a HELPFUL ai assistant, named SmolLM: trained by Hugging Face. user: What is", kChat));
}

TEST(IsEcho, NoAnswerThatTakesWordsOverFromItsQuestion) {
  for (const char* answer : {"The capital of France is Paris.", "It is the capital of France, Paris.", "", "Paris",
                             "What is the capital of France? The capital of France is Paris, a city on the Seine.",
                             "I am a helpful AI assistant named SmolLM, and the capital of France is Paris."})
    EXPECT_FALSE(is_echo(answer, kChat)) << answer;
  EXPECT_FALSE(is_echo("Paris is the capital of France and has been so for long", ""));
}

// The rule on texts of our own whose figures tests/judge/measure.py has written down (docs/judge.md).

struct ErrorRates {
  int fluent = 0, refused = 0, broken = 0, accepted = 0;
};

ErrorRates measure(const std::string& name, bool show) {
  const auto file = read_file(std::string(WILLITRUN_SOURCE_DIR) + "/tests/judge/" + name);
  ErrorRates rates;
  for (const std::string_view line : split(trim(file.value()), '\n')) {
    const FluencyDecision decision = decide_fluency(decode_judge_reply(line).value().figures);
    const bool is_fluent = line.contains("\"fluent\": true");
    ++(is_fluent ? rates.fluent : rates.broken);
    rates.refused += is_fluent && !decision.fluent;
    rates.accepted += !is_fluent && decision.fluent;
    if (show && is_fluent != decision.fluent) fmt::print("  {} {}\n", decision.reason, line.substr(0, 160));
  }
  fmt::print("{}: {} of {} fluent texts refused, {} of {} broken texts accepted\n", name, rates.refused, rates.fluent,
             rates.accepted, rates.broken);
  return rates;
}

TEST(DecideFluency, IsRightOnTheTextsThatItWasChosenOn) {
  const ErrorRates rates = measure("choosing.jsonl", true);
  EXPECT_EQ(rates.refused, 0);
  EXPECT_LE(rates.accepted, 1);
}

TEST(DecideFluency, IsMostlyRightOnHeldOutTexts) {
  const ErrorRates rates = measure("held_out.jsonl", true);
  EXPECT_LE(rates.refused * 10, rates.fluent);
  EXPECT_LE(rates.accepted * 10, rates.broken);
}

TEST(DecideFluency, SaysWhyATextIsNot) {
  const FluencyFigures good{
      .tokens = 20, .mean_nll = 2.5, .repeated_trigrams = 0, .language = "en", .language_probability = 1};
  EXPECT_TRUE(decide_fluency(good).fluent);
  const auto reason = [&](auto change) {
    FluencyFigures figures = good;
    change(figures);
    const auto decision = decide_fluency(figures);
    EXPECT_FALSE(decision.fluent);
    return decision.reason;
  };
  EXPECT_THAT(reason([](auto& f) { f.tokens = 3; }), HasSubstr("too short"));
  EXPECT_THAT(reason([](auto& f) { f.mean_nll = {}; }), HasSubstr("too short"));
  EXPECT_THAT(reason([](auto& f) { f.mean_nll = 9.5; }), HasSubstr("9.50"));
  EXPECT_THAT(reason([](auto& f) { f.repeated_trigrams = 0.8; }), HasSubstr("80 %"));
  EXPECT_THAT(reason([](auto& f) { f.language = "de"; }), HasSubstr("'de'"));
}

}  // namespace
}  // namespace willitrun
