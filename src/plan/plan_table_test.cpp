#include "plan/plan_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace willitrun {
namespace {

using testing::ElementsAre;
using testing::Pair;

PlanTable table(const std::string& sections) {
  auto parsed = PlanTable::parse(R"({"format":1,"transformers":"9.9.9",)" + sections + "}");
  EXPECT_TRUE(parsed) << parsed.error().message;
  return std::move(parsed).value();
}

TEST(PlanTable, FindsRecordsByName) {
  const PlanTable plans = table(R"("types":{"llama":{"causal":"Llama"}, "q\u0061":{"base":"Q"}},
                                   "known_types":["bert"], "classes":{"Llama":{"params":{"w":"float32"}}})");
  EXPECT_EQ(plans.version(), "9.9.9");
  EXPECT_EQ(plans.type("llama")->causal, "Llama");
  EXPECT_EQ(plans.type("qa")->base, "Q");
  EXPECT_FALSE(plans.type("Llama"));
  EXPECT_THAT(plans.model_class("Llama")->params, ElementsAre(Pair("w", "float32")));
  EXPECT_TRUE(plans.knows_type("bert"));
  EXPECT_FALSE(plans.knows_type("gpt"));
}

TEST(PlanTable, AnswersNothingForSectionsThatThereAreNot) {
  const PlanTable plans = table(R"("types":[])");
  EXPECT_FALSE(plans.type("llama"));
  EXPECT_FALSE(plans.model_class("Llama"));
  EXPECT_TRUE(plans.conversions("legacy").empty());
  EXPECT_FALSE(plans.cut("colwise", "weight", 2));
  EXPECT_FALSE(plans.offers_tp());
  EXPECT_EQ(plans.quantiser("mxfp4", "neuron").first, QuantOutcome::Unknown);
}

TEST(PlanTable, IsRefusedWhenItIsNotOne) {
  for (const char* text :
       {"", "[]", "{", R"({"format":1)", R"({"format":1}x)", R"({"format":2})", R"({"format":"1"})", "{}",
        R"({"format":1,"types":{"llama":{"causal":}}})", "{\"format\":1,\"types\":{\"\xff\":{}}}"}) {
    const auto parsed = PlanTable::parse(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().code, Code::Corruption);
  }
}

TEST(PlanTable, OutlivesTheOneThatItIsCopiedFrom) {
  std::optional<PlanTable> copy;
  {
    const PlanTable plans = table(R"("types":{"llama":{"causal":"Llama"}})");
    copy = plans;
  }
  EXPECT_EQ(copy->type("llama")->causal, "Llama");
}

}  // namespace
}  // namespace willitrun
