#include "verify/classify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace willitrun {
namespace {

using testing::HasSubstr;
using testing::Not;

Failure classify_log(std::string_view log) { return classify({.log = log}); }

struct LogCase {
  const char* failure_class;
  const char* signature;
  const char* log;
};

/// One log line of our own for each class that a text can tell.
constexpr LogCase kLogs[] = {
    {"unknown_model_type", "unknown_model_type:zebra9",
     "ValueError: The checkpoint you are trying to load has model type `zebra9` but Transformers does not recognize "
     "this architecture. This could be because"},
    {"remote_code_required", "remote_code_required",
     "ValueError: The repository a/b contains custom code which must be executed to correctly load the model."},
    {"missing_weights", "missing_weights:model.safetensors",
     "OSError: a/b does not appear to have a file named model.safetensors. Checkout 'https://huggingface.co/a/b'"},
    {"missing_weights", "missing_weights", "RuntimeError: Missing key(s) in state_dict: \"lm_head.weight\"."},
    {"corrupt_weights", "corrupt_weights:incomplete",
     "SafetensorError: Error while deserializing header: incomplete metadata, file not fully covered"},
    {"size_mismatch", "size_mismatch:model.layers.<n>.mlp.up_proj.weight",
     "size mismatch for model.layers.7.mlp.up_proj.weight: copying a param with shape torch.Size([100, 64]) from "
     "checkpoint, the shape in current model is torch.Size([101, 64])."},
    {"quant_unsupported", "quant_unsupported", "RuntimeError: No GPU found. A GPU is needed for quantization."},
    {"tokenizer_missing", "tokenizer_missing:HornTokenizer",
     "ValueError: Tokenizer class HornTokenizer does not exist or is not currently imported."},
    {"bad_config", "bad_config",
     "OSError: It looks like the config file at '/m/config.json' is not a valid JSON file."},
    {"bad_config", "bad_config:num_wings", "AttributeError: 'BirdConfig' object has no attribute 'num_wings'"},
    {"gated_repo", "gated_repo", "You are trying to access a gated repo."},
    {"repo_not_found", "repo_not_found",
     "404 Client Error.\n\nRepository Not Found for url: https://huggingface.co/api/models/a/b."},
    {"rate_limited", "rate_limited",
     "HfHubHTTPError: 429 Client Error: Too Many Requests for url: https://huggingface.co/a"},
    {"network", "network", "requests.exceptions.ConnectionError: Max retries exceeded with url: /a/b"},
    {"missing_dependency", "missing_dependency:horn_ops", "ModuleNotFoundError: No module named 'horn_ops'"},
    {"missing_dependency", "missing_dependency:gptqmodel",
     "ImportError: Loading a GPTQ quantized model requires gptqmodel (`pip install gptqmodel`) library."},
    {"missing_package", "missing_package:torch_neuronx.kernels",
     "ModuleNotFoundError: No module named 'torch_neuronx.kernels'"},
    {"missing_package", "missing_package:accelerate",
     "importlib.metadata.PackageNotFoundError: No package metadata was found for accelerate"},
    {"missing_system_library", "missing_system_library:libnrt.so.<n>",
     "ImportError: libnrt.so.1: cannot open shared object file: No such file or directory"},
    {"library_mismatch", "library_mismatch:_ZN5torch3foo", "ImportError: /v/_C.so: undefined symbol: _ZN5torch3foo"},
    {"library_mismatch", "library_mismatch:GLIBC_2.<n>", "/lib/libc.so.6: version `GLIBC_2.38' not found"},

    {"no_plan", "no_plan", "ValueError: `tp_size=2` was requested, but `ZebraForCausalLM` has no `tp_plan`. Pass"},
    {"tp_heads_indivisible", "tp_heads_indivisible",
     "ValueError: The number of attention heads (9) must be divisible by the tensor parallel size (2)"},
    {"kv_head_split", "kv_head_split", "RuntimeError: shape '[1, 5, -1, 64]' is invalid for input of size 1440"},
    {"expert_shard_mismatch", "expert_shard_mismatch",
     "  File \"m.py\", line 3, in load_expert\nRuntimeError: The size of tensor a (8) must match the size of tensor b "
     "(64) at non-singleton dimension 0"},
    {"checkpoint_shard_mismatch", "checkpoint_shard_mismatch:wq.weight",
     "size mismatch for wq.weight: copying a param with shape torch.Size([512, 64]) from checkpoint, the shape in "
     "current model is torch.Size([128, 64])."},
    {"unsupported_core_count", "unsupported_core_count",
     "ValueError: The parallel mesh requires 3 processes, but world_size is 2."},
    {"static_cache_tp", "static_cache_tp",
     "RuntimeError: index_copy_(): Source/destination tensor must have same slice shapes."},
    {"rank_graph_mismatch", "rank_graph_mismatch",
     "ENC:validate [nec_dev 1] mismatching number of cc ops, expected 4 received 5."},

    {"compiler_internal", "compiler_internal:NCC_IXYZ123", "[INTERNAL_ERROR] [NCC_IXYZ123] an invariant does not hold"},
    {"compiler_internal", "compiler_internal", "subprocess failed: neuronx-cc compile x.hlo: non-zero exit status 70."},
    {"compiler_crash", "compiler_crash", "XlaRuntimeError: INTERNAL: neuronx-cc compilation failed."},
    {"compile_timeout", "compile_timeout", "TimeoutError: neuronx-cc compile graph_3 timed out after 3600 s"},
    {"compiler_host_oom", "compiler_host_oom",
     "[F137] neuronx-cc was forcibly killed - this most commonly occurs for want of memory"},
    {"compiler_device_oom", "compiler_device_oom:NCC_EVRF009", "ERROR: [NCC_EVRF009] too much memory is needed"},
    {"compiler_device_oom", "compiler_device_oom", "AssertionError: estimated peak 22.839451 exceeds 16GB"},
    {"too_many_instructions", "too_many_instructions:NCC_EXTP004", "ERROR: [NCC_EXTP004] the limit is 5000000"},
    {"unsupported_op", "unsupported_op:NCC_EUOC002", "ERROR: [NCC_EUOC002] cannot lower it"},
    {"no_compute_ops", "no_compute_ops",
     "RuntimeError: No operations were successfully partitioned and compiled to neuron for this model"},
    {"unsupported_dtype", "unsupported_dtype:NCC_EVRF004", "ERROR: [NCC_EVRF004] complex64"},
    {"integer_policy", "integer_policy:NCC_EVRF035", "ERROR: [NCC_EVRF035] dot of s32"},
    {"op_constraint", "op_constraint:NCC_EVRF013", "ERROR: [NCC_EVRF013] topk of s32"},
    {"access_pattern", "access_pattern", "Unhandled exception: Access pattern out of bound."},
    {"custom_call", "custom_call:NCC_EVRF044", "ERROR: [NCC_EVRF044] input type"},
    {"nki", "nki:NCC_EVRF065", "ERROR: [NCC_EVRF065] kernel version"},
    {"bad_compiler_flag", "bad_compiler_flag:NCC_EARG001", "ERROR: [NCC_EARG001] lnc 3"},
    {"dynamic_shape", "dynamic_shape:NCC_EMOD025", "ERROR: [NCC_EMOD025] bounded dimension"},
    {"compile_error", "compile_error:NCC_ENEW001", "ERROR: [NCC_ENEW001] a code that is not known yet"},
    {"data_dependent_guard", "data_dependent_guard",
     "GuardOnDataDependentSymNode: Could not guard on data-dependent expression u0 > 3"},
    {"graph_break", "graph_break:aten.nonzero.default",
     "torch._dynamo.exc.Unsupported: Dynamic shape operator\n  Explanation: Operator `aten.nonzero.default`'s output "
     "shape depends on input Tensor data."},
    {"recompile_limit", "recompile_limit",
     "torch._dynamo.exc.FailOnRecompileLimitHit: Hard failure due to fullgraph=True"},
    {"static_cache_unsupported", "static_cache_unsupported", "ValueError: this model does not support StaticCache"},

    {"device_oom", "device_oom:NRT_RESOURCE", "RuntimeError: nrt_execute failed, status=4"},
    {"device_oom", "device_oom", "RuntimeError: NRT allocation failed for size 1073741824 on device 0 (OOM)"},
    {"nrt_timeout", "nrt_timeout:NRT_TIMEOUT", "ERROR nrt_execute returned NRT_TIMEOUT"},
    {"collective_timeout", "collective_timeout:NRT_EXEC_HW_ERR_COLLECTIVES", "Inference completed with err: 1200"},
    {"nrt_invalid", "nrt_invalid:NRT_INVALID", "nrt_load status=2 message=\"bad neff\""},
    {"nrt_execute_error", "nrt_execute_error:NRT_EXEC_COMPLETED_WITH_ERR", "nrt_execute: status=1004"},
    {"nrt_load_failed", "nrt_load_failed", "NMGR: Failed to load NN: /tmp/x.neff"},
    {"oob_access", "oob_access:NRT_EXEC_OOB", "Inference completed with err: 1006"},
    {"missing_backend_op", "missing_backend_op:aten::histc",
     "NotImplementedError: Could not run 'aten::histc' with arguments from the 'neuron' backend."},
    {"dtype_mismatch", "dtype_mismatch:Half:Float", "RuntimeError: expected scalar type Half but found Float"},
    {"device_mismatch", "device_mismatch",
     "RuntimeError: Expected all tensors to be on the same device, but found at least two devices"},
    {"device_assert", "device_assert", "IndexError: index out of range in self"},
    {"cache_bug", "cache_bug:layers", "AttributeError: 'ZebraCache' object has no attribute 'layers'"},
    {"runtime_state", "runtime_state:NRT_STATE_CHILD", "NRT:nrt_x Incompatible runtime state: NRT_STATE_CHILD"},
    {"killed_for_memory", "killed_for_memory", "slurmstepd: error: Detected 1 oom_kill event in StepId=7.0"},

    {"nan_output", "nan_output:NRT_EXEC_COMPLETED_WITH_NUM_ERR", "nrt_execute: status=1003"},
    {"numeric_drift", "numeric_drift", "AssertionError: Tensor-likes are not close!"},
    {"not_fluent", "not_fluent", "the answer is gibberish"},

    {"cores_busy", "cores_busy:NRT_EXEC_NC_BUSY", "RuntimeError: NRT_EXEC_NC_BUSY"},
    {"device_hw", "device_hw:NRT_EXEC_HW_ERR_HBM_UE", "Inference completed with err: 1201"},
    {"no_device", "no_device", "ERROR NRT: No neuron device available"},
    {"driver_missing", "driver_missing", "NRT:nrt_init Unable to determine Neuron Driver version."},
    {"runtime_version", "runtime_version:NRT_UNSUPPORTED_NEFF_VERSION", "nrt_load: status=10"},
    {"wrong_package", "wrong_package", "RuntimeError: WRONG_PACKAGE: torch-neuronx 2.9 is another product"},
    {"process_killed", "process_killed", "failed (exitcode: -9) local_rank: 3"},
    {"disk_full", "disk_full", "OSError: [Errno 28] No space left on device: '/tmp/x'"},
    {"worker_lost", "worker_lost", "JOB 7 ON host CANCELLED DUE TO NODE FAILURE"},
};

TEST(Classify, FindsTheClassAndSignatureOfEachKindOfText) {
  for (const LogCase& log : kLogs) {
    const Failure failure = classify_log(log.log);
    EXPECT_EQ(failure.kind.name, log.failure_class) << log.log;
    EXPECT_EQ(failure.signature, log.signature) << log.log;
    EXPECT_NE(failure.message, "") << log.log;
  }
}

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
