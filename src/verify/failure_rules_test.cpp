#include "verify/failure_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "domain/failure.h"

namespace willitrun {
namespace {

using testing::HasSubstr;

TEST(FailureRules, TheFileReadsAndNamesMostOfTheVocabulary) {
  const auto rules = parse_failure_rules(kFailureRules);
  ASSERT_TRUE(rules) << rules.error().message;
  EXPECT_GT(rules->size(), 500u);
  // What no text tells: limits and marks do.
  constexpr std::string_view kNotByText[] = {"limit_exceeded", "harness_error", "reference_failed"};
  for (const FailureClass& known : failure_classes()) {
    const bool by_code = known.name == "integer_policy" || known.name == "op_constraint";
    const bool by_rule = std::ranges::find(*rules, known.name, &FailureRule::failure_class) != rules->end();
    EXPECT_EQ(by_rule, !by_code && !(std::ranges::find(kNotByText, known.name) != std::end(kNotByText))) << known.name;
  }
}

TEST(FailureRules, ARuleIsAClassAConditionAndAPattern) {
  const auto rules =
      parse_failure_rules("# a comment\n\n== symptoms: texts\nkv_head_split[sharded]  heads {#} of * x\nnrt err {#}\n");
  ASSERT_TRUE(rules) << rules.error().message;
  ASSERT_EQ(rules->size(), 2u);
  EXPECT_EQ(rules->front().kind, RuleKind::Symptom);
  EXPECT_EQ(rules->front().failure_class, "kv_head_split");
  EXPECT_EQ(rules->front().condition, RuleCondition::Sharded);
  EXPECT_EQ(rules->front().pattern, "heads {#} of * x");
  EXPECT_EQ(rules->back().condition, RuleCondition::None);
}

TEST(FailureRules, WhatIsNoRuleIsNamedWithItsLine) {
  for (const auto& [text, says] : {std::pair{"x\nhang", "line 1"},
                                   {"\nmystery  text", "line 2 of the failure rules: unknown class 'mystery'"},
                                   {"hang[often]  text", "unknown condition 'often'"},
                                   {"hang", "a class and a pattern"},
                                   {"== dreams: texts", "unknown section 'dreams'"}}) {
    const auto rules = parse_failure_rules(text);
    ASSERT_FALSE(rules) << text;
    EXPECT_EQ(rules.error().code, Code::Corruption);
    EXPECT_THAT(rules.error().message, HasSubstr(says));
  }
}

}  // namespace
}  // namespace willitrun
