#include "verify/failure_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "base/text.h"
#include "domain/failure.h"
#include "os/file.h"
#include "verify/classify.h"

namespace willitrun {
namespace {

using testing::HasSubstr;

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
    {"graph_break", "graph_break:Call to `f()`", "torch._dynamo.exc.Unsupported: Call to `f()`"},
    {"not_compiled", "not_compiled",
     "RuntimeError: torch.compile with fullgraph=True found no compiled frames. Skipped frames:"},
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

TEST(FailureRules, FindTheClassAndSignatureOfEachKindOfText) {
  for (const LogCase& log : kLogs) {
    const Failure failure = classify({.log = log.log});
    EXPECT_EQ(failure.kind.name, log.failure_class) << log.log;
    EXPECT_EQ(failure.signature, log.signature) << log.log;
    EXPECT_NE(failure.message, "") << log.log;
  }
}

/// Reads testdata/failure_logs.txt: a line `## CLASS` and the log that follows it, again and again.
std::vector<std::pair<std::string, std::string>> read_logs() {
  const std::string text =
      read_file(std::string(WILLITRUN_SOURCE_DIR) + "/src/verify/testdata/failure_logs.txt").value();
  std::vector<std::pair<std::string, std::string>> logs;
  for (const std::string_view line : split(text, '\n')) {
    if (line.starts_with("## ")) {
      logs.emplace_back(line.substr(3), "");
    } else {
      logs.back().second.append(line).append("\n");
    }
  }
  return logs;
}

TEST(FailureRules, FindTheClassOfMoreThanOneWordingOfEachKind) {
  std::map<std::string, int> num_wordings;
  for (const auto& [failure_class, log] : read_logs()) {
    ++num_wordings[failure_class];
    EXPECT_EQ(classify({.log = log}).kind.name, failure_class) << log;
  }
  EXPECT_GT(num_wordings.size(), 70u);
}

TEST(FailureRules, ReadWhatATextIsAboutOnlyWhenNothingElseIsThere) {
  EXPECT_EQ(classify({.log = "Zebra does not like tensor parallel"}).kind.name, "shard_error");
  EXPECT_EQ(classify({.log = "ValueError: zebra"}).kind.name, "runtime_error");
  EXPECT_EQ(classify({.log = "tensor parallel", .mark = Mark::Load}).kind.name, "load_error") << "a run of ours";
}

TEST(FailureRules, TheFileReadsAndNamesMostOfTheVocabulary) {
  const auto rules = parse_failure_rules(kFailureRules);
  ASSERT_TRUE(rules) << rules.error().message;
  EXPECT_GT(rules->size(), 500u);
  // What no text tells: limits and marks do.
  constexpr std::string_view kNotByText[] = {"limit_exceeded", "reference_failed"};
  for (const FailureClass& known : failure_classes()) {
    const bool by_rule = std::ranges::find(*rules, known.name, &FailureRule::failure_class) != rules->end();
    EXPECT_EQ(by_rule, !(std::ranges::find(kNotByText, known.name) != std::end(kNotByText))) << known.name;
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
