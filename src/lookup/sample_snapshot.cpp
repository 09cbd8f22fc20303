#include "lookup/sample_snapshot.h"

#include "base/check.h"

namespace willitrun {

RankedModel sample_model(std::string id, std::int64_t downloads, std::string task) {
  RankedModel model;
  model.id = std::move(id);
  model.task = std::move(task);
  model.downloads = downloads;
  return model;
}

Row sample_row(std::string model_id, std::string verdict, std::string neuronx_cc, std::string transformers) {
  Row row;
  row.model_id = std::move(model_id);
  row.library = "transformers";
  row.library_version = transformers;
  row.transformers = std::move(transformers);
  row.neuronx_cc = std::move(neuronx_cc);
  row.target = "trn2";
  row.emulated = false;
  row.verdict = verdict;
  if (verdict == "PASS") row.evidence = "tokens";
  row.tested_at = parse_time("2026-10-30");
  return row;
}

SnapshotInput sample_input() {
  SnapshotInput input;
  const auto rank = [&](RankedModel model, int by_downloads, int by_trend, double score) {
    model.downloads_rank = by_downloads;
    model.trending_rank = by_trend;
    model.trending_score = score;
    input.models.push_back(std::move(model));
  };
  rank(sample_model("Qwen/Qwen3-0.6B", 9'000'000), 1, 3, 20);
  rank(sample_model("meta-llama/Llama-3.1-8B-Instruct", 5'000'000), 2, 2, 50);
  rank(sample_model("openai/gpt-oss-20b", 4'000'000), 3, 1, 90);
  rank(sample_model("Qwen/Qwen2.5-VL-3B-Instruct", 2'000'000, "image-text-to-text"), 1, 1, 70);
  rank(sample_model("openai-community/gpt2", 1'500'000), 4, 4, 1);
  rank(sample_model("TheBloke/Llama-2-7B-GGUF", 500'000), 5, 5, 0);
  rank(sample_model("big/model-700b", 10'000), 6, 6, 0);

  const std::string llama = "meta-llama/Llama-3.1-8B-Instruct";
  for (const char* cc : {"2.27.1", "2.28.1"})
    for (const char* transformers : {"5.10.2", "5.24.0"})
      input.rows.push_back(sample_row("Qwen/Qwen3-0.6B", "PASS", cc, transformers));
  input.rows.push_back(sample_row(llama, "PASS", "2.27.1"));
  input.rows.push_back(sample_row(llama, "FAIL"));
  input.rows.back().stage = "compile";
  input.rows.back().failure_class = "compiler_internal";
  input.rows.back().signature = "compiler_internal:NCC_IXRO002";
  input.rows.back().cores = 4;
  input.rows.push_back(sample_row("openai/gpt-oss-20b", "FLAKY"));
  input.rows.push_back(sample_row("big/model-700b", "TOO_LARGE"));
  input.rows.push_back(sample_row("private/folder", "PASS"));
  input.rows.back().local_model = true;
  input.rows.push_back(sample_row("openai-community/gpt2", "PASS"));
  input.rows.back().target = "trn2-emulated";
  input.rows.back().emulated = true;
  input.rows.push_back(sample_row("openai-community/gpt2", "PASS", "", "5.24.0"));
  input.rows.back().target = "cpu";

  input.selected = {"openai/gpt-oss-20b", "Qwen/Qwen3-0.6B", "openai-community/gpt2"};
  input.excluded = {{"TheBloke/Llama-2-7B-GGUF", {"*-GGUF", ExclusionKind::Incompatible, "no safetensors", "lab", {}}}};
  return input;
}

std::shared_ptr<const LookupSnapshot> snapshot_of(const SnapshotInput& input) {
  auto snapshot = make_snapshot(input);
  CHECK(snapshot);
  return *std::move(snapshot);
}

}  // namespace willitrun
