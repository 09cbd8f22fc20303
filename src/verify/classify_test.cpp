#include "verify/classify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace willitrun {
namespace {

using testing::HasSubstr;
using testing::Not;

Failure classify_log(std::string_view log) { return classify({.log = log}); }

TEST(Classify, AnEarlierRuleWinsOverAnEarlierLine) {
  const auto failure =
      classify_log("RuntimeError: Missing key(s) in state_dict\nOSError: [Errno 28] No space left on device");
  EXPECT_EQ(failure.kind.name, "disk_full");
}

TEST(Classify, WarningsOfALogDoNotExplainAFailure) {
  const auto failure = classify_log(
      "UserWarning: No module named 'flash_attn', using sdpa\nRuntimeError: Expected all tensors to be on the same "
      "device");
  EXPECT_EQ(failure.kind.name, "device_mismatch");
}

/// A report that ended in `error` while in `stage`.
RunReport failed_report(ReportError error, Mode mode = Mode::Single, std::string backend = "neuron") {
  RunReport report;
  report.start = ReportStart{.schema = 1, .mode = mode, .backend = std::move(backend)};
  report.stages.push_back({error.stage.value_or(Mark::Place), 0});
  report.errors.push_back(std::move(error));
  return report;
}

ReportError exception(Mark stage, std::string type, std::string message) {
  return {.stage = stage, .rank = 0, .type = std::move(type), .message = std::move(message)};
}

TEST(Classify, AnEventThatSpeaksForItselfIsNotOverruledByTheLog) {
  const auto report = failed_report(exception(Mark::Generate, "RuntimeError", "my model gave up"));
  const auto failure = classify({.log = "ModuleNotFoundError: No module named 'flash_attn'", .report = &report});
  EXPECT_EQ(failure.signature, "runtime_error:RuntimeError: my model gave up");
  EXPECT_EQ(failure.kind.stage, Stage::Execute);
}

TEST(Classify, BuiltinExceptionsGoByTheirPlainName) {
  const auto report = failed_report(exception(Mark::Load, "builtins.ValueError", "boom"));
  EXPECT_EQ(classify({.report = &report}).signature, "load_error:ValueError: boom");
}

TEST(Classify, AnEventThatOnlyHintsIsExplainedByTheLog) {
  const auto report = failed_report(exception(Mark::Compile, "RuntimeError", "neuronx-cc failed with exit status 70"));
  EXPECT_EQ(classify({.log = "", .report = &report}).kind.name, "compiler_internal");
  const auto failure = classify({.log = "ERROR [NCC_EVRF007] limit", .report = &report});
  EXPECT_EQ(failure.signature, "too_many_instructions:NCC_EVRF007");
}

TEST(Classify, UnexplainedFailuresGetTheClassOfTheirStage) {
  const std::pair<Mark, std::string_view> cases[] = {{Mark::Place, "harness_error"},
                                                     {Mark::Load, "load_error"},
                                                     {Mark::Shard, "shard_error"},
                                                     {Mark::Compile, "compile_error"},
                                                     {Mark::Generate, "runtime_error"}};
  for (const auto& [mark, failure_class] : cases) {
    const auto report = failed_report(exception(mark, "ValueError", "boom"));
    EXPECT_EQ(classify({.report = &report}).kind.name, failure_class) << to_text(mark);
  }
}

TEST(Classify, TheScriptsOwnFindingsHaveTheirClasses) {
  const std::tuple<const char*, const char*, std::string_view> cases[] = {
      {"Unproven", "not compiled: 1 graphs were captured, prefill and decode need 2", "not_compiled"},
      {"Unproven", "static cache ignored: generate came back with a DynamicCache", "static_cache_unsupported"},
      {"Unproven", "not sharded: every rank holds all 7 parameters", "no_plan"},
      {"Unproven", "not placed: parameters lie on ['cpu'] instead of neuron", "device_mismatch"},
      {"Unproven", "17 tokens came instead of 32", "runtime_error"},
      {"RanksDisagree", "rank 1 gave other tokens", "token_mismatch"}};
  for (const auto& [type, message, failure_class] : cases) {
    const auto report = failed_report(exception(Mark::Compile, type, message));
    EXPECT_EQ(classify({.report = &report}).kind.name, failure_class) << message;
  }
}

TEST(Classify, AViewErrorIsTheCutHeadsOnlyInAShardedRun) {
  const auto error =
      exception(Mark::Compile, "RuntimeError", "shape '[1, 5, -1, 64]' is invalid for input of size 1440");
  const auto sharded = failed_report(error, Mode::Tp);
  const auto single = failed_report(error, Mode::Single);
  EXPECT_EQ(classify({.report = &sharded}).kind.name, "kv_head_split");
  EXPECT_EQ(classify({.report = &single}).signature,
            "compile_error:RuntimeError: shape '[<n>, <n>, -<n>, <n>]' is invalid for input of size <n>");
}

struct EndCase {
  const char* name;
  ProcessEnd end;
  Mark mark;
  const char* failure_class;
  ChargedTo charged_to;
};

class Ends : public testing::TestWithParam<EndCase> {};

TEST_P(Ends, TellWhatALogDoesNot) {
  RunReport report;
  report.start = ReportStart{.schema = 1, .backend = "neuron"};
  report.stages.push_back({GetParam().mark, 0});
  const auto failure = classify({.log = "loading\n", .report = &report, .end = GetParam().end});
  EXPECT_EQ(failure.kind.name, GetParam().failure_class);
  EXPECT_EQ(failure.kind.charged_to, GetParam().charged_to);
}

INSTANTIATE_TEST_SUITE_P(
    Classify, Ends,
    testing::Values(
        EndCase{"wall_limit",
                {.stop = Stop::WallLimit, .exit_code = {}, .signal = 9},
                Mark::Generate,
                "timeout",
                ChargedTo::Model},
        EndCase{"wall_limit_while_compiling",
                {.stop = Stop::WallLimit},
                Mark::Compile,
                "compile_timeout",
                ChargedTo::Stack},
        EndCase{
            "wall_limit_before_the_model", {.stop = Stop::WallLimit}, Mark::Place, "harness_error", ChargedTo::Infra},
        EndCase{"no_progress", {.stop = Stop::NoProgress}, Mark::Load, "hang", ChargedTo::Model},
        EndCase{"memory_limit",
                {.stop = Stop::MemoryLimit, .exit_code = {}, .signal = 9},
                Mark::Load,
                "killed_for_memory",
                ChargedTo::Model},
        EndCase{"process_limit", {.stop = Stop::ProcessLimit}, Mark::Load, "limit_exceeded", ChargedTo::Model},
        EndCase{"write_limit", {.stop = Stop::WriteLimit}, Mark::Load, "limit_exceeded", ChargedTo::Model},
        EndCase{"cancelled",
                {.stop = Stop::Cancelled, .exit_code = {}, .signal = 15},
                Mark::Load,
                "process_killed",
                ChargedTo::Infra},
        EndCase{"segfault", {.signal = 11}, Mark::Generate, "crash", ChargedTo::Model},
        EndCase{"segfault_by_exit_status", {.exit_code = 139}, Mark::Generate, "crash", ChargedTo::Model},
        EndCase{"segfault_while_compiling", {.signal = 11}, Mark::Compile, "compiler_crash", ChargedTo::Stack},
        EndCase{"segfault_before_the_model", {.signal = 11}, Mark::Place, "harness_error", ChargedTo::Infra},
        EndCase{"killed_by_somebody", {.signal = 9}, Mark::Generate, "process_killed", ChargedTo::Infra},
        EndCase{"cpu_time_limit", {.signal = 24}, Mark::Generate, "limit_exceeded", ChargedTo::Model},
        EndCase{"exit_without_a_word", {.exit_code = 1}, Mark::Generate, "runtime_error", ChargedTo::Model}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(Classify, NamesTheSignalWhereTheLogOnlySaysThatItCrashed) {
  const FailureFacts facts{
      .log = "Fatal Python error: Segmentation fault\n\nCurrent thread (most recent call first):\n  File \"run.py\"\n",
      .end = {.signal = 11},
      .mark = Mark::Load};
  EXPECT_EQ(classify(facts).signature, "crash:SIGSEGV");
}

TEST(Classify, ACrashWhileCompilingWithoutAnOutsideCompilerIsTheModelsOwn) {
  RunReport report;
  report.start = ReportStart{.schema = 1, .backend = "aot_eager"};
  report.stages.push_back({Mark::Compile, 0});
  EXPECT_EQ(classify({.report = &report, .end = {.signal = 11}}).kind.name, "crash");
}

TEST(Classify, ARankThatDiedIsReadFromItsSignal) {
  auto report = failed_report(
      {.stage = Mark::Generate, .rank = 1, .type = "RankDied", .message = "rank 1 died", .signal = "SIGSEGV"});
  report.stages = {{Mark::Place, 0}, {Mark::Generate, 1}};
  const auto failure = classify({.report = &report, .end = {.exit_code = 1}});
  EXPECT_EQ(failure.signature, "crash:SIGSEGV");
  EXPECT_EQ(failure.message, "ended by SIGSEGV in stage generate");
}

TEST(Classify, ARankThatComplainsOfItsLostPeerIsNotTheCause) {
  auto report =
      failed_report(exception(Mark::Generate, "builtins.RuntimeError",
                              "[/a/gloo/transport/tcp/pair.cc:538] Connection closed by peer [127.0.0.1]:4242"));
  EXPECT_EQ(classify({.report = &report, .sandboxed = true}).signature, "worker_lost");
  report.errors.push_back({.stage = {}, .rank = 1, .type = "RankDied", .message = "rank 1 died", .signal = "SIGSEGV"});
  EXPECT_EQ(classify({.report = &report, .sandboxed = true}).signature, "crash:SIGSEGV");
}

// What the host lacks is never the model's fault, and what the model does is never the host's.

TEST(Classify, AFullDiskIsInfraButAModelThatWritesWithoutEndIsNot) {
  const auto report = failed_report(exception(Mark::Generate, "OSError", "[Errno 28] No space left on device"));
  EXPECT_EQ(classify({.report = &report}).kind.charged_to, ChargedTo::Infra);
  EXPECT_EQ(classify({.report = &report, .end = {.stop = Stop::WriteLimit}}).signature, "limit_exceeded:written_bytes");
}

TEST(Classify, MemoryThatTheCompilerUsedIsNotChargedToTheModel) {
  const auto failure = classify({.log = "[F137] neuronx-cc was forcibly killed", .end = {.stop = Stop::MemoryLimit}});
  EXPECT_EQ(failure.kind.charged_to, ChargedTo::Stack);
}

TEST(Classify, APackageThatIsMissingBeforeTheModelIsTouchedIsTheHosts) {
  const auto before = failed_report(exception(Mark::Place, "ModuleNotFoundError", "No module named 'regex'"));
  EXPECT_EQ(classify({.report = &before}).signature, "missing_package:regex");
  const auto after = failed_report(exception(Mark::Load, "ModuleNotFoundError", "No module named 'regex'"));
  EXPECT_EQ(classify({.report = &after}).signature, "missing_dependency:regex");
}

TEST(Classify, ANetworkErrorInsideTheSandboxIsTheModelReachingOut) {
  const auto report = failed_report(
      exception(Mark::Load, "URLError", "<urlopen error [Errno -3] Temporary failure in name resolution>"));
  EXPECT_EQ(classify({.report = &report}).kind.name, "network");
  EXPECT_EQ(classify({.report = &report, .sandboxed = true}).signature, "limit_exceeded:network");
}

TEST(Classify, AFileThatTheModelLacksIsNotTheNetworkInsideTheSandbox) {
  auto error = exception(Mark::Load, "builtins.OSError",
                         "We couldn't connect to 'https://huggingface.co' to load the files, and couldn't find them in "
                         "the cached files.");
  const auto name = [&](const char* file, bool sandboxed) {
    error.traceback = std::string("  File \"/t/") + file + "\", line 1, in from_pretrained";
    const auto report = failed_report(error);
    return classify({.report = &report, .sandboxed = sandboxed}).kind.name;
  };
  EXPECT_EQ(name("tokenization_utils_base.py", true), "tokenizer_missing");
  EXPECT_EQ(name("configuration_utils.py", true), "bad_config");
  EXPECT_EQ(name("dynamic_module_utils.py", true), "limit_exceeded");
  EXPECT_EQ(name("configuration_utils.py", false), "network");
}

TEST(Classify, AnExceptionThatDynamoSawIsTheModelsAndNoGraphBreak) {
  const auto report =
      failed_report(exception(Mark::Compile, "torch._dynamo.exc.Unsupported",
                              "Observed exception\n  Explanation: no handler\n\n  Developer debug context: "
                              "raised exception ValueError('shape is invalid here')"));
  EXPECT_EQ(classify({.report = &report}).signature, "compile_error:ValueError");
}

TEST(Classify, AnImportThatFailsInTheModelsOwnCodeIsNotALibraryMismatch) {
  auto error = exception(Mark::Load, "ImportError", "cannot import name 'gone' from 'transformers.utils'");
  const auto own = failed_report(error);
  EXPECT_EQ(classify({.report = &own}).signature, "library_mismatch:gone");
  error.traceback = "  File \"/c/modules/transformers_modules/a/b/modeling_b.py\", line 3, in <module>";
  const auto models = failed_report(error);
  EXPECT_EQ(classify({.report = &models}).signature, "load_error:gone");
}

TEST(Classify, AReferenceThatFailsIsNotTheDevices) {
  RunReport report;
  report.start = ReportStart{.schema = 1, .reference = true};
  report.stages.push_back({Mark::Generate, 0});
  EXPECT_EQ(classify({.report = &report, .end = {.stop = Stop::WallLimit}, .mark = Mark::Reference}).signature,
            "reference_failed:timeout");
  report.errors.push_back(exception(Mark::Generate, "ValueError", "boom"));
  EXPECT_EQ(classify({.report = &report, .mark = Mark::Reference}).kind.name, "reference_failed");
}

TEST(Classify, AReportThatCannotBeReadIsNoVerdictAboutTheModel) {
  RunReport report;
  report.errors.push_back({.stage = {}, .rank = {}, .type = "UnreadableReport", .message = "line 7: not JSON"});
  for (const Mark mark : {Mark::Reference, Mark::Place}) {
    const auto failure = classify({.log = "all is well", .report = &report, .mark = mark});
    EXPECT_EQ(failure.kind.name, "harness_error");
    EXPECT_EQ(failure.message, "UnreadableReport: line 7: not JSON");
  }
}

TEST(Classify, AnEmptyLogStillHasAClass) {
  const auto failure = classify({});
  EXPECT_EQ(failure.signature, "runtime_error");
  EXPECT_EQ(failure.message, "it failed without a word");
}

TEST(Classify, AnyBytesMakeValidUtf8) {
  const std::string log = "RuntimeError: \xff\xfe broken \xe2\x82";
  const auto failure = classify_log(log);
  EXPECT_THAT(failure.message, Not(HasSubstr("\xff")));
  EXPECT_THAT(failure.signature, HasSubstr("\xEF\xBF\xBD"));
}

TEST(FailureOfPlan, EachReasonHasAClassOrMeansTooLarge) {
  for (const auto& code : enum_names(std::type_identity<PlanCode>{})) {
    Plan plan;
    plan.status = PlanStatus::CannotRun;
    plan.reason = PlanNote{code.value, "because"};
    const auto failure = failure_of(plan);
    ASSERT_TRUE(failure) << code.text;
    EXPECT_EQ(failure->message, "because");
    EXPECT_THAT(failure->signature, HasSubstr(code.text));
  }
  Plan too_large;
  too_large.status = PlanStatus::TooLarge;
  too_large.reason = PlanNote{PlanCode::TooLarge, "no"};
  EXPECT_FALSE(failure_of(too_large));
}

TEST(FailureOfError, NetworkAndDiskAreInfraAndAccessIsTheModels) {
  EXPECT_EQ(failure_of(Error{Code::PermissionDenied, "gated"}).kind.name, "gated_repo");
  EXPECT_EQ(failure_of(Error{Code::NotFound, "no"}).kind.name, "repo_not_found");
  EXPECT_EQ(failure_of(Error{Code::Unavailable, "down"}).kind.charged_to, ChargedTo::Infra);
  EXPECT_EQ(failure_of(Error{Code::ResourceExhausted, "full"}).kind.name, "disk_full");
  EXPECT_EQ(failure_of(Error{Code::Internal, "bug"}).kind.name, "harness_error");
}

}  // namespace
}  // namespace willitrun
