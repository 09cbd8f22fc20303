// How fast logs are classified. A log is at most 16 MiB (head and tail are kept), and it is read once per failed
// attempt.
//   cmake --preset release && ninja -C build/release bench_classify && build/release/bin/bench_classify

#include <benchmark/benchmark.h>

#include <string>

#include "verify/classify.h"

namespace {

constexpr std::size_t kLogBytes = 16 * 1024 * 1024;

std::string repeated(std::string_view lines) {
  std::string log;
  log.reserve(kLogBytes + lines.size());
  while (log.size() < kLogBytes) log += lines;
  return log;
}

/// What runtimes and compilers write while nothing is wrong.
constexpr std::string_view kOrdinary =
    "2026-01-02T03:04:05Z INFO 4242 [root]: Compiling graph 17 of 40, shape [1, 64, 4096], dtype bfloat16\n"
    "2026-Jan-02 03:04:05.0678 4242:4300 INFO  TDRV:load  loaded model-00017-of-00040, 312 MB on device 3\n"
    "Loading weights:  42%|####      | 113/272 [00:02<00:03, 46.11it/s] layers.17.mlp.down_proj.weight\n"
    "  File \"/usr/lib/python3/site-packages/transformers/models/llama/modeling_llama.py\", line 301, in forward\n"
    "    hidden_states, self_attn_weights = self.self_attn(hidden_states=hidden_states, position_ids=position_ids)\n";

/// Every line holds the beginnings of several rules, and none matches.
constexpr std::string_view kMisleading =
    "DEBUG nrt_execute status=ok; size mismatch for nothing; attention heads are fine; No module named in this line\n";

void classify(benchmark::State& state, std::string_view lines, std::string_view end) {
  const std::string log = repeated(lines) + std::string(end);
  for (auto _ : state) benchmark::DoNotOptimize(willitrun::classify({.log = log}));
  state.SetBytesProcessed(static_cast<std::int64_t>(log.size()) * state.iterations());
}

constexpr std::string_view kError = "RuntimeError: nrt_execute: status=1004\n";

BENCHMARK_CAPTURE(classify, ordinary_log, kOrdinary, kError)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(classify, misleading_log, kMisleading, kError)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(classify, one_long_line, "DEBUG nrt_execute status=ok size mismatch for ", "")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(classify, nothing_in_it, kOrdinary, "")->Unit(benchmark::kMillisecond);

}  // namespace
