// What the scripts do when they run is tested in tests/script, on the golden files that this test keeps honest.
#include "script/script.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace willitrun {
namespace {

using testing::HasSubstr;
using testing::Not;

const Target kCpu = {.name = "cpu", .device = "cpu", .compile_backend = "aot_eager"};
const Target kTrn2 = {.name = "trn2", .device = "neuron", .compile_backend = "neuron"};

Plan plan_of(std::string transformers, Mode mode, std::string task = "text-generation") {
  const int cores = mode == Mode::Single ? 1 : 2;
  return {
      .model = {.id = "owner/model", .revision = "0123456789abcdef0123456789abcdef01234567", .task = std::move(task)},
      .transformers = std::move(transformers),
      .status = PlanStatus::Fits,
      .mode = mode,
      .cores = cores,
      .bytes = {.per_core = 123456789}};
}

ScriptInput cpu_input(std::string transformers, Mode mode, std::string task = "text-generation") {
  return {.plan = plan_of(std::move(transformers), mode, std::move(task)),
          .target = kCpu,
          .stack = {.accelerate = "1.15.0", .torch = "2.13.0", .python = "3.11.2"}};
}

ScriptInput trn2_input() {
  return {.plan = plan_of("5.24.0", Mode::Tp),
          .target = kTrn2,
          .stack = {.neuronx_cc = "2.28.7631.0+abcdef12",
                    .accelerate = "1.15.0",
                    .torch_neuronx = "2.13.3.0.1",
                    .torch = "2.13.0",
                    .nki = "0.7.0",
                    .python = "3.12.9",
                    .neuron_driver = "2.31.7.0"}};
}

struct Golden {
  std::string name;
  ScriptInput input;
};

std::vector<Golden> golden_scripts() {
  const std::string image = "image-text-to-text";
  return {{"5.24.0-single", cpu_input("5.24.0", Mode::Single)},
          {"5.24.0-single-image", cpu_input("5.24.0", Mode::Single, image)},
          {"5.24.0-tp", cpu_input("5.24.0", Mode::Tp)},
          {"5.24.0-tp-image", cpu_input("5.24.0", Mode::Tp, image)},
          {"5.24.0-ep", cpu_input("5.24.0", Mode::Ep)},
          {"5.24.0-tp_ep", cpu_input("5.24.0", Mode::TpEp)},
          {"5.10.2-single", cpu_input("5.10.2", Mode::Single)},
          {"5.10.2-single-image", cpu_input("5.10.2", Mode::Single, image)},
          {"5.10.2-tp", cpu_input("5.10.2", Mode::Tp)},
          {"5.10.2-ep", cpu_input("5.10.2", Mode::Ep)},
          {"5.24.0-tp-trn2", trn2_input()}};
}

class GoldenScript : public testing::TestWithParam<Golden> {};

/// With WILLITRUN_UPDATE_GOLDEN set, writes the files instead; read the difference before it is committed.
TEST_P(GoldenScript, IsEqualToTheByte) {
  const std::string path = std::string(WILLITRUN_SOURCE_DIR) + "/tests/script/golden/" + GetParam().name + ".py";
  const std::string rendered = render_run_py(GetParam().input).value();
  if (std::getenv("WILLITRUN_UPDATE_GOLDEN")) std::ofstream(path) << rendered;
  std::stringstream golden;
  golden << std::ifstream(path).rdbuf();
  EXPECT_EQ(rendered, golden.str()) << "if the change is meant, run with WILLITRUN_UPDATE_GOLDEN=1: " << path;
}

INSTANTIATE_TEST_SUITE_P(All, GoldenScript, testing::ValuesIn(golden_scripts()), [](const auto& test) {
  std::string name = test.param.name;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
});

TEST(Script, NamesTheCacheOfTheCompilerWithoutItsBuild) {
  EXPECT_THAT(render_run_py(trn2_input()).value(), HasSubstr("neuronxcc-2.28.7631.0 /tmp/neff_cache"));
}

TEST(Script, NamesNoPublicCacheForAnEmulatedDevice) {
  ScriptInput input = trn2_input();
  input.target.emulated = true;
  EXPECT_THAT(render_run_py(input).value(), Not(HasSubstr("hf buckets")));
}

TEST(Script, AllowsRemoteCodeOnlyWhenAsked) {
  ScriptInput input = cpu_input("5.24.0", Mode::Single);
  EXPECT_THAT(render_run_py(input).value(), Not(HasSubstr("trust_remote_code")));
  input.remote_code = true;
  EXPECT_THAT(render_run_py(input).value(), HasSubstr("dtype=\"auto\", trust_remote_code=True"));
}

TEST(Script, TakesAPromptAndExtraPackages) {
  ScriptInput input = cpu_input("5.24.0", Mode::Single);
  input.prompt = "Say \"hello\".";
  input.extra_packages = {"einops==0.8.1"};
  const std::string script = render_run_py(input).value();
  EXPECT_THAT(script, HasSubstr(R"("Say \"hello\".")"));
  EXPECT_THAT(script, HasSubstr("accelerate==1.15.0 einops==0.8.1\n"));
}

TEST(Script, LeavesOutARevisionThatAFolderDoesNotHave) {
  ScriptInput input = cpu_input("5.24.0", Mode::Single);
  input.plan.model.id = "/models/mine";
  input.plan.model.revision.clear();
  EXPECT_THAT(render_run_py(input).value(), HasSubstr("MODEL, REVISION = \"/models/mine\", None\n"));
}

TEST(Script, RefusesAPlanThatDoesNotFit) {
  ScriptInput input = cpu_input("5.24.0", Mode::Single);
  input.plan.status = PlanStatus::TooLarge;
  EXPECT_EQ(render_run_py(input).error().code, Code::InvalidArgument);
}

TEST(Script, RefusesWhatNoScriptIsKnownFor) {
  EXPECT_THAT(render_run_py(cpu_input("5.11.0", Mode::Single)).error().message, HasSubstr("known: 5.10.2, 5.24.0"));
  EXPECT_THAT(render_run_py(cpu_input("5.10.2", Mode::TpEp)).error().message, HasSubstr("mode tp_ep"));
  EXPECT_THAT(render_run_py(cpu_input("5.24.0", Mode::Single, "fill-mask")).error().message, HasSubstr("'fill-mask'"));
}

TEST(Script, RefusesAModeThatDoesNotMatchTheCores) {
  ScriptInput input = cpu_input("5.24.0", Mode::Single);
  input.plan.cores = 2;
  EXPECT_EQ(render_run_py(input).error().code, Code::InvalidArgument);
}

}  // namespace
}  // namespace willitrun
