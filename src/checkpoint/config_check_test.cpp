#include "checkpoint/config_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace willitrun {
namespace {

Checked<void> check(std::string_view text) {
  const auto config = ModelConfig::parse(text);
  EXPECT_TRUE(config) << text;
  return check_config(*config);
}

TEST(CheckConfig, TakesWhatRealConfigurationsHold) {
  for (const std::string_view text :
       {R"({})", R"({"hidden_size":64,"num_key_value_heads":null,"head_dim":null})", R"({"hidden_size":64.0})",
        R"({"moe_intermediate_size":[3072,3072]})", R"({"num_experts":0,"num_hidden_layers":0})",
        R"({"text_config":{"hidden_size":1},"vision_config":null,"quantization_config":null})",
        R"({"quantization_config":{"quant_method":"fp8"}})"})
    EXPECT_TRUE(check(text)) << text;
}

TEST(CheckConfig, RefusesWhatIsNoSize) {
  for (const std::string_view text :
       {R"({"num_hidden_layers":-1})", R"({"num_hidden_layers":"2"})", R"({"num_hidden_layers":true})",
        R"({"num_hidden_layers":1000000000})", R"({"num_attention_heads":0})", R"({"num_key_value_heads":0})",
        R"({"hidden_size":64.5})", R"({"hidden_size":1e30})", R"({"vocab_size":1000000000000000000000})",
        R"({"vocab_size":{}})", R"({"head_dim":["16"]})", R"({"quantization_config":["fp8"]})"}) {
    const auto checked = check(text);
    ASSERT_FALSE(checked) << text;
    EXPECT_EQ(checked.error().code, PlanCode::BadConfig);
  }
}

TEST(CheckConfig, NamesThePart) {
  const auto checked = check(R"({"hidden_size":64,"thinker_config":{"text_config":{"head_dim":-16}}})");
  ASSERT_FALSE(checked);
  EXPECT_THAT(checked.error().message, testing::HasSubstr("thinker_config.text_config.head_dim is -16"));
}

}  // namespace
}  // namespace willitrun
