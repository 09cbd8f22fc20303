#include "lab/interpreter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace willitrun {
namespace {

constexpr const char* kAnswer = R"({
  "python": "3.12.1",
  "packages": {"torch": "2.14.0", "transformers": "5.24.0", "torch-neuronx": "2.14.3.0", "neuronx-cc": "2.28.7631.0+ab"},
  "folders": ["/opt/neuron/lib/python3.12", "/opt/neuron", "/usr", "/usr/lib/python3.12", "/opt/neuron-other"]})";

TEST(Interpreter, GivesTheStackOfANeuronHost) {
  const Target target{.name = "trn2", .device = "neuron", .environment = {{"NEURON_CC_FLAGS", "-O1"}}};
  const auto facts = read_interpreter_answer(kAnswer, target, "2.31");
  ASSERT_TRUE(facts) << facts.error().message;
  EXPECT_EQ(facts->stack.neuronx_cc, "2.28.7631.0+ab");
  EXPECT_EQ(facts->stack.torch_neuronx, "2.14.3.0");
  EXPECT_EQ(facts->stack.neuron_driver, "2.31");
  EXPECT_EQ(facts->stack.neuron_cc_flags, "-O1");
  EXPECT_EQ(facts->stack.library_version, "5.24.0");
  EXPECT_EQ(facts->stack.python, "3.12.1");
}

TEST(Interpreter, LeavesOutWhatTheDeviceDoesNotUse) {
  const auto facts = read_interpreter_answer(kAnswer, {.name = "cpu", .device = "cpu"}, "2.31");
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->stack.torch, "2.14.0");
  EXPECT_EQ(facts->stack.neuronx_cc + facts->stack.torch_neuronx + facts->stack.neuron_driver, "");
}

TEST(Interpreter, NamesOutermostFoldersOnly) {
  const auto facts = read_interpreter_answer(kAnswer, {.device = "cpu"}, "");
  EXPECT_THAT(facts->folders, testing::ElementsAre("/opt/neuron", "/opt/neuron-other", "/usr"));
}

TEST(Interpreter, RefusesAnAnswerThatIsNone) {
  for (const char* text : {"", "Traceback", "{}", R"({"python": 3, "packages": {}, "folders": []})"})
    EXPECT_FALSE(read_interpreter_answer(text, {}, "")) << text;
}

TEST(Interpreter, SaysWhatToDoWhenThereIsNone) {
  const Target target{.name = "trn2", .interpreters = {{"5.24.0", ""}}};
  EXPECT_THAT(probe_interpreter(target, "5.24.0").error().message, testing::HasSubstr("willitrun doctor"));
  EXPECT_EQ(probe_interpreter(target, "4.0.0").error().code, Code::NotFound);
}

}  // namespace
}  // namespace willitrun
