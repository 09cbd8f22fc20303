// Logs that say something else than what they seem to say: each is built so that a reader who takes the first, or the
// loudest, words for the cause is wrong.

#include <gtest/gtest.h>

#include <string>

#include "verify/classify.h"

namespace willitrun {
namespace {

struct Trap {
  const char* name;
  const char* signature;
  const char* log;
};

class Traps : public testing::TestWithParam<Trap> {};

TEST_P(Traps, AreSeenThrough) { EXPECT_EQ(classify({.log = GetParam().log}).signature, GetParam().signature); }

INSTANTIATE_TEST_SUITE_P(
    , Traps,
    testing::Values(
        Trap{"AWarningOfMemoryBeforeAnotherFailure", "missing_weights",
             "WARNING: this model may run out of memory (OOM) on one core, CUDA out of memory is likely\n"
             "KeyError: 'model.layers.0.mlp.up_proj.weight'\n"},
        Trap{"AWarningOfDynamoBeforeAnotherFailure", "device_mismatch",
             "[rank0]:W1130 12:00:00.119000 785 torch/_dynamo/convert_frame.py:844] [9/8] torch._dynamo hit "
             "config.recompile_limit (8)\n"
             "RuntimeError: Expected all tensors to be on the same device\n"},
        Trap{"AWarningOfTensorFlowBeforeAnotherFailure", "device_mismatch",
             "2026-04-21 11:27:46.342874: W tensorflow/dso_loader.cc:64] Could not load dynamic library 'libx.so'\n"
             "RuntimeError: Expected all tensors to be on the same device\n"},
        Trap{"ARankThatLostItsPeer", "quant_unsupported",
             "[rank1]: ValueError: Unknown quantization type, got zq4\n"
             "[rank0]: RuntimeError: [/p/gloo/transport/tcp/pair.cc:538] Connection closed by peer [127.0.0.1]:4242\n"},
        Trap{"ARankThatWaitedInVain", "cache_bug:layers",
             "[rank3]: AttributeError: 'ZebraCache' object has no attribute 'layers'\n"
             "[rank0]:[E602 11:17:52 ProcessGroupNCCL.cpp:632] Watchdog caught collective operation timeout\n"
             "terminate called after throwing an instance of 'c10::DistBackendError'\n"},
        Trap{"TheAbortThatFollowsATimeoutOfTheOthers", "collective_timeout",
             "[rank0]:[E602 11:17:52 ProcessGroupNCCL.cpp:632] Watchdog caught collective operation timeout\n"
             "Fatal Python error: Aborted\n"},
        Trap{"ARetryThatWorked", "missing_weights",
             "HTTPSConnectionPool(host='x', port=443): Read timed out. Trying again\n"
             "RuntimeError: Missing key(s) in state_dict: \"lm_head.weight\".\n"},
        Trap{"AnOptionalImportThatIsNotThere", "device_mismatch",
             "No module named 'flash_attn', going on with sdpa\n"
             "RuntimeError: Expected all tensors to be on the same device\n"},
        Trap{"AFullDiskBehindABrokenFile", "disk_full",
             "OSError: [Errno 28] No space left on device\n"
             "SafetensorError: Error while deserializing header: incomplete metadata\n"},
        Trap{"AProgressBarFullOfNoise", "corrupt_weights:incomplete",
             "Loading:   0%|          | 0/272 [00:00<?, ?it/s]\rLoading:  37%|███▋      | 101/272 [00:01<00:01]\r"
             "SafetensorError: Error while deserializing header: incomplete metadata\rLoading: 100%|██████████|"},
        Trap{"ColoursInTheMiddleOfTheWords", "device_mismatch",
             "\x1b[1;31mRuntimeError\x1b[0m: Expected all tensors to be \x1b[1mon the same\x1b[0m device\n"},
        Trap{"AWordInsideAWord", "runtime_error:ValueError: BloomForCausalLM has no zoom",
             "ValueError: BloomForCausalLM has no zoom\n"},
        Trap{"AFileThatIsNotFoundIsNoHostThatIsNotFound", "load_error",
             "FileNotFoundError: [Errno 2] No such file or directory: 'horn.py'\n"},
        Trap{"TheInnermostPartAtWork", "compile_error",
             "  File \"/v/transformers/models/auto/auto_factory.py\", line 1, in from_pretrained\n"
             "  File \"/v/transformers/generation/utils.py\", line 2, in generate\n"
             "  File \"/v/torch/_dynamo/output_graph.py\", line 3, in compile\n"
             "OddError: it went wrong\n"},
        Trap{"SettingsThatALogRepeats", "device_mismatch",
             "INFO api_server.py:178] args: Namespace(trust_remote_code=True, tp_degree=8, dtype='auto')\n"
             "preprocessor_config.json: 100%|####| 442/442 [00:00<00:00, 3.1MB/s]\n"
             "def from_pretrained(cls, path, config, cache_dir, ignore_mismatched_sizes, force_download)\n"
             "RuntimeError: Expected all tensors to be on the same device\n"},
        Trap{"WhatALauncherSaysOfAnyFailure", "graph_break",
             "WARNING:torch.distributed.elastic.multiprocessing.api:Sending process 7 closing signal SIGTERM\n"
             "  File \"/v/torch/_dynamo/symbolic_convert.py\", line 3, in inline_call\n"
             "OddError: it went wrong\n"},
        Trap{"AHostWithoutEfa", "compiler_internal",
             "2026-Jan-31 12:00:00.01 7:8 [0] init.cc:137 CCOM WARN OFI plugin initNet() failed is EFA enabled?\n"
             "[TEN404] Internal tensorizer error\n"},
        Trap{"AHostWithoutAGpu", "unsupported_op",
             "2026-01-31 12:00:00: E tensorflow/cuda_driver.cc:271] failed call to cuInit: CUDA_ERROR_NO_DEVICE\n"
             "zebra.py: operations not supported\n"},
        Trap{"ARankThatIsNotThereIsNoHubThatIsNotThere", "worker_lost",
             "The client socket has failed to connect to [localhost]:29500 (errno: 111 - Connection refused).\n"},
        Trap{"ACompilerThatFailedBeforeTheRanksLostEachOther", "compiler_internal",
             "RuntimeError: neuronx-cc compilation failed with 70. Check compiler logs.\n"
             "RuntimeError: [/p/gloo/transport/tcp/pair.cc:538] Connection closed by peer [127.0.0.1]:4242\n"}),
    [](const auto& test) { return std::string(test.param.name); });

/// A run of ours that was in the stage `mark` and left no error event.
RunReport silent_report(Mark mark) {
  RunReport report;
  report.start = ReportStart{.schema = 1, .backend = "neuron"};
  report.stages.push_back({mark, 0});
  return report;
}

TEST(OwnRun, WhatTheModelWroteIsNoFailure) {
  const auto report = silent_report(Mark::Generate);
  const char* log = "text: \"The Error: a novel. It hangs, it crashes, everything is garbage, the OOM killer said.\"\n";
  EXPECT_EQ(classify({.log = log, .report = &report, .end = {.signal = 11}}).signature, "crash:SIGSEGV");
  EXPECT_EQ(classify({.log = log, .report = &report, .end = {.exit_code = 1}}).kind.name, "runtime_error");
}

TEST(OwnRun, AFileThatTheModelLacksIsNotTheNetwork) {
  auto report = silent_report(Mark::Load);
  report.errors.push_back({.stage = Mark::Load,
                           .rank = 0,
                           .type = "builtins.FileNotFoundError",
                           .message = "[Errno 2] No such file or directory: '/model/horn.py'"});
  EXPECT_EQ(classify({.report = &report, .sandboxed = true}).signature,
            "load_error:FileNotFoundError: [Errno <n>] No such file or directory: '<path>'");
}

}  // namespace
}  // namespace willitrun
