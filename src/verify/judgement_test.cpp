#include "verify/judgement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace willitrun {
namespace {

using testing::HasSubstr;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr Tolerance kTolerance{"cpu", "float32", 0.01, 0.005, 0.01};  // ties and logits of 0.1 where the largest is 10

/// A vocabulary of four tokens, three steps. The reference is clearly 0, undecided between 1 and 2, clearly 3.
Logits reference_logits() { return {3, 4, {10, 1, 1, 0, /**/ 0, 10, 9.95F, 1, /**/ 0, 1, 2, 10}}; }

ReportResult result_of(std::vector<std::int32_t> tokens, const Logits& logits) {
  ReportResult result;
  result.prompt = "Hi";
  result.prompt_tokens = 3;
  result.tokens = std::move(tokens);
  result.tokenizer_size = 4;
  result.finite = result.repeatable = true;
  for (std::size_t step = 0; step < logits.steps; ++step) result.top_two.push_back(top_two(logits.row(step)));
  return result;
}

/// A run and its reference, equal until a test changes one.
class Judge : public testing::Test {
 protected:
  Judgement judge_it() const { return judge({&run, &reference, &forced, &true_logits, nullptr, kTolerance}); }
  Judgement judge_without_logits() const { return judge({&run, &reference, nullptr, nullptr, nullptr, kTolerance}); }
  Judgement judge_alone(const FluencyFigures* fluency) const {
    return judge({&run, nullptr, nullptr, nullptr, fluency, kTolerance});
  }

  Logits true_logits = reference_logits();
  Logits forced = reference_logits();
  ReportResult reference = result_of({0, 1, 3}, true_logits);
  ReportResult run = result_of({0, 1, 3}, true_logits);
};

void expect_fail(const Judgement& judgement, std::string_view signature) {
  EXPECT_EQ(judgement.verdict, Verdict::Fail);
  EXPECT_EQ(judgement.evidence, Evidence::None);
  ASSERT_TRUE(judgement.failure);
  EXPECT_EQ(judgement.failure->signature, signature);
}

void expect_pass(const Judgement& judgement, Evidence evidence) {
  EXPECT_EQ(judgement.verdict, Verdict::Pass) << (judgement.failure ? judgement.failure->message : "");
  EXPECT_EQ(judgement.evidence, evidence);
  EXPECT_FALSE(judgement.failure);
}

TEST_F(Judge, EqualTokensPass) {
  const auto judgement = judge_it();
  expect_pass(judgement, Evidence::Tokens);
  EXPECT_EQ(judgement.first_mismatch, std::nullopt);
  EXPECT_EQ(judgement.max_logit_difference, 0.0);
}

TEST_F(Judge, EqualTokensPassWithoutLogitsToo) {
  const auto judgement = judge_without_logits();
  expect_pass(judgement, Evidence::Tokens);
  EXPECT_EQ(judgement.max_logit_difference, std::nullopt);
}

TEST_F(Judge, TheRunnerUpOfANearTiePassesWhenLogitsAgreeFromThereOn) {
  run.tokens = {0, 2, 0};  // what follows a parting is free to differ
  forced.values[5] = 9.94F;
  forced.values[6] = 9.99F;
  const auto judgement = judge_it();
  expect_pass(judgement, Evidence::NearTie);
  EXPECT_EQ(judgement.first_mismatch, 1);
  EXPECT_NEAR(*judgement.margin, 0.05, 1e-6);
  EXPECT_NEAR(*judgement.max_logit_difference, 0.06, 1e-5);
}

TEST_F(Judge, LogitsBeforeANearTieDoNotMatter) {
  run.tokens = {0, 2, 3};
  forced.values[1] = 5;
  expect_pass(judge_it(), Evidence::NearTie);
}

TEST_F(Judge, TwoTokensWithEqualLogitsAreATieOfNoMargin) {
  true_logits.values[6] = 10;  // equal maxima: the lowest id is the reference's token
  reference = result_of({0, 1, 3}, true_logits);
  forced = true_logits;
  run.tokens = {0, 2, 3};
  const auto judgement = judge_it();
  expect_pass(judgement, Evidence::NearTie);
  EXPECT_EQ(judgement.margin, 0.0);
}

TEST_F(Judge, AReferenceThatTookTheHigherOfTwoEqualTokensIsATieToo) {
  true_logits.values[6] = 10;
  reference = result_of({0, 2, 3}, true_logits);
  forced = true_logits;
  run.tokens = {0, 1, 3};
  expect_pass(judge_it(), Evidence::NearTie);
}

TEST_F(Judge, ANearTieWhoseLogitsDriftLaterFails) {
  run.tokens = {0, 2, 3};
  forced.values[11] = 9;
  const auto judgement = judge_it();
  expect_fail(judgement, "numeric_drift");
  EXPECT_THAT(judgement.failure->message, HasSubstr("step 2"));
}

TEST_F(Judge, ManySmallDifferencesAreADriftToo) {
  run.tokens = {0, 2, 3};
  for (std::size_t i = 8; i < 12; ++i) forced.values[i] += 0.08F;  // each within the largest allowed, not together
  expect_fail(judge_it(), "numeric_drift");
}

TEST_F(Judge, ANanAmongTheForcedLogitsIsADisagreement) {
  run.tokens = {0, 2, 3};
  forced.values[8] = kNan;
  expect_fail(judge_it(), "numeric_drift");
}

TEST_F(Judge, ANearTieWithoutLogitsCannotBeDecided) {
  run.tokens = {0, 2, 3};
  const auto judgement = judge_without_logits();
  EXPECT_EQ(judgement.verdict, Verdict::Indeterminate);
  EXPECT_EQ(judgement.failure->kind.charged_to, ChargedTo::Infra);
}

TEST_F(Judge, AnotherTokenThanTheRunnerUpFailsWhateverTheMargin) {
  run.tokens = {0, 3, 3};
  expect_fail(judge_it(), "token_mismatch");
  expect_fail(judge_without_logits(), "token_mismatch");
}

TEST_F(Judge, AMismatchWithAClearMarginFails) {
  run.tokens = {1, 1, 3};
  const auto judgement = judge_it();
  expect_fail(judgement, "token_mismatch");
  EXPECT_EQ(judgement.first_mismatch, 0);
  EXPECT_EQ(judgement.margin, 9.0);
}

TEST_F(Judge, AMarginJustInsideTheToleranceIsATieAndJustOutsideIsNot) {
  run.tokens = {0, 2, 3};
  true_logits.values[6] = forced.values[6] = 9.91F;
  expect_pass(judge_it(), Evidence::NearTie);
  true_logits.values[6] = forced.values[6] = 9.89F;
  expect_fail(judge_it(), "token_mismatch");
}

TEST_F(Judge, TolerancesShrinkWithTheLogits) {
  for (Logits* logits : {&true_logits, &forced})
    for (float& value : logits->values) value /= 100;
  reference = result_of({0, 1, 3}, true_logits);
  run.tokens = {0, 2, 3};
  expect_pass(judge_it(), Evidence::NearTie);
  forced.values[8] += 0.05F;  // nothing beside a logit of 10, much beside one of 0.1
  expect_fail(judge_it(), "numeric_drift");
}

TEST_F(Judge, TheThirdOfAThreeWayTiePassesByItsLogits) {
  true_logits.values[7] = forced.values[7] = 9.93F;
  run.tokens = {0, 3, 3};
  expect_pass(judge_it(), Evidence::Logits);
  forced.values[0] = 9;  // throughout, not only from there on
  expect_fail(judge_it(), "token_mismatch");
}

TEST_F(Judge, EqualTokensPassEvenWhenLogitsDrift) {
  forced.values[0] = 12;
  const auto judgement = judge_it();
  expect_pass(judgement, Evidence::Tokens);
  EXPECT_EQ(judgement.max_logit_difference, 2.0);
}

TEST_F(Judge, OutputThatIsNotFiniteFailsEvenWithEqualTokens) {
  run.finite = false;
  expect_fail(judge_it(), "nan_output");
}

TEST_F(Judge, AReferenceThatIsNotFiniteOrNotRepeatableProvesNothing) {
  reference.finite = false;
  run.finite = false;
  expect_fail(judge_it(), "reference_failed:nan");
  reference.finite = run.finite = true;
  reference.repeatable = false;
  expect_fail(judge_it(), "reference_failed:not_repeatable");
}

TEST_F(Judge, ARunThatDoesNotRepeatItselfPassesOnlyWithAgreeingLogits) {
  run.repeatable = false;
  const auto judgement = judge_it();
  expect_pass(judgement, Evidence::Tokens);
  EXPECT_THAT(judgement.note, HasSubstr("second generation"));
  expect_fail(judge_without_logits(), "token_mismatch:not_repeatable");
  forced.values[0] = 12;
  expect_fail(judge_it(), "token_mismatch:not_repeatable");
}

TEST_F(Judge, InputsThatDoNotBelongTogetherAreNotTheModelsFault) {
  const auto expect_harness = [&](const Judgement& judgement, std::string_view says) {
    EXPECT_EQ(judgement.verdict, Verdict::Indeterminate);
    EXPECT_EQ(judgement.failure->signature, "harness_error:inputs");
    EXPECT_THAT(judgement.failure->message, HasSubstr(says));
  };
  run.prompt = "Ho";
  expect_harness(judge_it(), "prompts");
  run.prompt = "Hi";
  run.tokens = {0, 1};
  expect_harness(judge_it(), "2 tokens");
  run.tokens = {};
  expect_harness(judge_it(), "no tokens");
  run.tokens = {0, 1, 3};
  forced = Logits{3, 2, {1, 2, 3, 4, 5, 6}};
  expect_harness(judge_it(), "shape");
}

TEST_F(Judge, WithoutAReferenceFluencyDecides) {
  FluencyFigures figures{
      .tokens = 20, .mean_nll = 2.5, .repeated_trigrams = 0, .language = "en", .language_probability = 1};
  const auto judgement = judge_alone(&figures);
  expect_pass(judgement, Evidence::Fluent);
  EXPECT_EQ(judgement.judge_score, 2.5);
  figures.mean_nll = 12;
  expect_fail(judge_alone(&figures), "not_fluent");
}

TEST_F(Judge, AFluentCopyOfThePromptProvesNothing) {
  const FluencyFigures figures{
      .tokens = 20, .mean_nll = 2.5, .repeated_trigrams = 0, .language = "en", .language_probability = 1};
  run.prompt = "Please tell me in one short sentence what the capital of France is.";
  run.text = "Tell me in one short sentence what the capital of France is. Please";
  expect_fail(judge_alone(&figures), "not_fluent:echo");
}

TEST_F(Judge, WithNeitherReferenceNorJudgeThereIsNoVerdict) {
  EXPECT_EQ(judge_alone(nullptr).verdict, Verdict::Indeterminate);
}

TEST_F(Judge, ATokenBeyondTheTokenizerFailsWithoutAReferenceAndIsNotedWithOne) {
  const FluencyFigures figures{
      .tokens = 20, .mean_nll = 2.5, .repeated_trigrams = 0, .language = "en", .language_probability = 1};
  run.tokenizer_size = 4;
  expect_pass(judge_alone(&figures), Evidence::Fluent);
  run.tokenizer_size = 3;
  expect_fail(judge_alone(&figures), "not_fluent:unknown_token");
  const auto beside_reference = judge({&run, &reference, nullptr, nullptr, nullptr, kTolerance});
  expect_pass(beside_reference, Evidence::Tokens);
  EXPECT_THAT(beside_reference.note, HasSubstr("token 3"));
}

TEST(Tolerances, AreFoundForEveryDeviceAndDtype) {
  for (const Tolerance& tolerance : tolerances()) {
    EXPECT_EQ(tolerance_for(tolerance.device, tolerance.dtype).tie, tolerance.tie);
    EXPECT_GT(tolerance.tie, 0);
    EXPECT_GT(tolerance.rms, 0);
    EXPECT_GT(tolerance.largest, tolerance.rms);
  }
  EXPECT_EQ(tolerance_for("moon", "float32").tie, tolerance_for("neuron", "float32").tie);
  EXPECT_EQ(tolerance_for("cpu", "float8").tie, tolerance_for("cpu", "bfloat16").tie);
}

}  // namespace
}  // namespace willitrun
