#include "lab/sample_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>
#include <vector>

namespace willitrun {
namespace {

constexpr int kSteps = 32;
constexpr int kVocabulary = 64;

std::string result_line(const SampleReport& sample) {
  std::vector<int> tokens;
  std::vector<std::string> top_tokens, top_logits;
  for (int i = 0; i < kSteps; ++i) {
    tokens.push_back(sample.first_token + i);
    top_tokens.push_back(fmt::format("[{}, 0]", tokens.back()));
    top_logits.emplace_back("[9.0, 0.0]");
  }
  return fmt::format(
      R"({{"event": "result", "t": 2, "rank": null, "prompt": "Hello", "prompt_tokens": 3, "tokens": [{}], )"
      R"("tokenizer_size": 64, "eos_at": null, "text": "words", "top2_tokens": [{}], "top2_logits": [{}], "finite": true, "repeatable": true, )"
      R"("load_s": 1.5, "cold_s": 3, "warm_s": 1, "compile_s": 2, "first_token_s": 0.1, "tokens_per_s": 30, )"
      R"("graphs": {}, "graphs_after_first": 0, "cache_class": "StaticCache", "compile_cache_hits": null, )"
      R"("compile_cache_misses": null, "fallback_ops": null, "parameter_bytes_per_core": 1000, )"
      R"("buffer_bytes_per_core": 10, "peak_bytes_per_core": 5000, "memory_meter": "process_rss", )"
      R"("capacity_bytes_per_core": null, "peak_bytes": [5000], "parameter_bytes": [1000], )"
      R"("versions": {{"python": "3.11.2"}}, "teacher": null, "logits": null}})",
      fmt::join(tokens, ", "), fmt::join(top_tokens, ", "), fmt::join(top_logits, ", "), sample.reference ? 0 : 2);
}

}  // namespace

std::string sample_report(const SampleReport& sample) {
  std::string text = fmt::format(
      R"({{"event": "start", "t": 1, "rank": null, "schema": 1, "pid": 1, "model": "a/b", "revision": "1", )"
      R"("task": "text-generation", "mode": "single", "cores": 1, "device": "cpu", "backend": {}, "reference": {}, )"
      R"("transformers": "5.24.0", "new_tokens": 32, "env": {{}}}})",
      sample.reference ? "null" : R"("aot_eager")", sample.reference);
  text += '\n';
  for (const char* stage : {"place", "load", "shard", "compile", "generate"}) {
    text += fmt::format(R"({{"event": "stage", "t": 1, "rank": 0, "stage": "{}"}})", stage) + '\n';
    if (stage == sample.last_stage) return text;
  }
  return text + result_line(sample) + '\n' + R"({"event": "stage", "t": 2, "rank": null, "stage": "done"})" + '\n';
}

std::string sample_logits(const SampleReport& sample) {
  std::string header =
      fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {}), }}", kSteps, kVocabulary);
  while ((10 + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  std::string npy = std::string("\x93NUMPY\x01\x00", 8);
  npy += static_cast<char>(header.size() & 0xFF);
  npy += static_cast<char>(header.size() >> 8);
  npy += header;
  for (int step = 0; step < kSteps; ++step)
    for (int token = 0; token < kVocabulary; ++token) {
      const float logit = token == sample.first_token + step ? 9.0F : 0.0F;
      npy.append(reinterpret_cast<const char*>(&logit), sizeof logit);
    }
  return npy;
}

}  // namespace willitrun
