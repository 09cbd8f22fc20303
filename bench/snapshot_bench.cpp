// How fast a large snapshot answers: bench_snapshot [MODELS, default 50000] [STACKS, default 200] [FILE to write the
// same results to as CSV] [--json FILE]. bench/snapshot_peers.py runs it at several sizes and asks peers the same.
#include <malloc.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "domain/row.h"
#include "figure.h"
#include "lookup/home_snapshot.h"
#include "lookup/outcomes.h"
#include "lookup/snapshot_builder.h"
#include "lookup/snapshot_cache.h"
#include "lookup/view.h"
#include "name_samples.h"
#include "os/file.h"
#include "store/parquet_codec.h"
#include "testing/temp_folder.h"

namespace {

using namespace willitrun;

/// docs/query.md's examples, and the two operators that look at most cells.
constexpr const char* kQueries[] = {
    "qwen cores<=4 is:pass",
    "org:Qwen downloads>1M",
    "task:text-generation stage:compile",
    "sig:NCC_EVRF009",
    "is:untested|excluded sort:-downloads",
    "seq(cc@2.27:pass cc@2.28:!pass)",
    "count>=2(is:flaky)",
    "all(is:pass) not is:untested",
    "tokens_per_s>20 sort:-tokens_per_s",
    "tested_at:2026-10-01..2026-10-31 is:fail",
    "seq(is:pass is:fail)",
    "any(stage:compile) none(is:pass)",
};

double resident_megabytes() {
  std::ifstream file("/proc/self/statm");
  double pages = 0;
  file >> pages >> pages;
  return pages * 4096 / 1e6;
}

template <class T>
T pick(std::uint64_t random, std::initializer_list<T> values) {
  return *(values.begin() + random % values.size());
}

/// Spreads the bits of a number (splitmix64).
std::uint64_t mixed(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9U;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebU;
  return value ^ (value >> 31);
}

/// What all results have in common.
Row constant_row() {
  Row row;
  row.library = "transformers";
  row.runner = "text";
  row.target = "trn2";
  row.emulated = false;
  row.torch = "2.9.0";
  row.python = "3.11";
  row.attempts = 1;
  return row;
}

void set_outcome(Row& row, std::uint64_t random) {
  const bool passes = random % 100 < 70;
  const bool fails = !passes && random % 100 < 95;
  row.verdict = passes  ? "PASS"
                : fails ? "FAIL"
                        : pick<const char*>(random >> 8, {"FLAKY", "INDETERMINATE", "TOO_LARGE"});
  row.result = row.verdict;
  row.evidence = passes ? pick<const char*>(random >> 24, {"tokens", "tokens", "near_tie", "fluent"}) : "none";
  row.tokens_per_s.reset();
  row.stage.reset();
  row.failure_class.reset();
  row.signature.reset();
  if (passes) row.tokens_per_s = static_cast<double>(random % 1000) / 10;
  if (!fails) return;
  row.stage = pick<const char*>(random >> 32, {"load", "shard", "compile", "execute", "verify"});
  row.failure_class =
      pick<const char*>(random >> 32, {"size_mismatch", "no_plan", "nki", "device_oom", "token_mismatch"});
  row.signature = fmt::format("{}:NCC_EVRF{:03}", *row.failure_class, (random >> 40) % 300);
}

/// Makes `row` the result of a model on a stack: the same for the same numbers.
void set_result(Row& row, std::size_t model, std::size_t stack, std::uint64_t random) {
  set_outcome(row, random);
  row.neuronx_cc = fmt::format("2.{}.{}", 10 + stack % 20, 100 + stack % 20);
  row.transformers = fmt::format("5.{}.0", 10 + stack / 20);
  row.library_version = row.transformers;
  row.tested_at = Time(std::chrono::milliseconds(1'775'000'000'000 + static_cast<std::int64_t>(stack) * 86'400'000 +
                                                 static_cast<std::int64_t>(model)));
  row.cores = pick(random >> 16, {1, 1, 1, 2, 4, 8, 16});
  row.tp = row.cores;
  row.mode = *row.cores == 1 ? "single" : "tp";
  row.wall_s = static_cast<std::int32_t>(random % 3000);
  row.hbm_peak_gb = static_cast<double>(random % 240) / 10;
}

/// Milliseconds on the clock: who loads files waits for the disk too.
template <class Work>
double clock_milliseconds(Work work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

/// Writes the results as a dataset, a file for each thousand models, and loads a snapshot of it.
double load_from_parquet(const LookupSnapshot& snapshot, const std::filesystem::path& folder) {
  const ParquetCodec& codec = *parquet_codec().value();
  const auto all = snapshot.cells_of_target(0);
  const std::uint32_t per_file = 200'000;
  for (CellNumber first = all.first; first < all.last; first += per_file) {
    std::vector<Row> rows;
    for (CellNumber cell = first; cell < std::min(first + per_file, all.last); ++cell)
      rows.push_back(snapshot.row_of(cell));
    const auto file = folder / "dataset" / fmt::format("{:08}.parquet", first);
    write_file_atomically(file, codec.encode(rows, DatasetKind::Verdicts).value()).value();
  }
  return clock_milliseconds([&] {
    const auto loaded = load_snapshot_of_dataset(folder / "dataset.snapshot", folder / "dataset").value();
    if (loaded->num_cells() != snapshot.num_cells()) std::abort();
  });
}

SnapshotBuilder make_home(std::size_t num_models, std::size_t num_stacks) {
  auto names = sample_names(num_models);
  for (std::size_t i = 0; i < num_models; i += 50) names[i].replace(0, names[i].find('/'), "Qwen");
  SnapshotBuilder builder;
  RankedModel model;
  Row row = constant_row();
  for (std::size_t i = 0; i < num_models; ++i) {
    model.id = names[i] + "-" + std::to_string(i);
    model.task = i % 4 == 0 ? "image-text-to-text" : "text-generation";
    model.downloads = static_cast<std::int64_t>(200'000'000 / (i + 1));
    builder.add_model(model);
    row.model_id = model.id;
    for (std::size_t stack = 0; stack < num_stacks; ++stack) {
      set_result(row, i, stack, mixed(i * num_stacks + stack + 1));
      builder.add_row(row);
    }
  }
  return builder;
}

void write_csv(const char* path, const LookupSnapshot& snapshot) {
  std::ofstream file(path);
  file << "model_id,task,downloads,neuronx_cc,transformers,verdict,stage,signature,cores,tokens_per_s,tested_at\n";
  for (CellNumber cell = 0; cell < snapshot.num_cells(); ++cell) {
    const Row row = snapshot.row_of(cell);
    file << *row.model_id << ',' << *row.task << ',' << *row.downloads << ',' << *row.neuronx_cc << ','
         << *row.transformers << ',' << *row.verdict << ',' << row.stage.value_or("") << ','
         << row.signature.value_or("") << ',' << *row.cores << ','
         << (row.tokens_per_s ? fmt::format("{}", *row.tokens_per_s) : "") << ',' << to_text(*row.tested_at) << '\n';
  }
}

}  // namespace

int main(int argc, char** argv) {
  Figures figures(argc, argv);
  const std::size_t num_models = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 50'000;
  const std::size_t num_stacks = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 200;
  const auto figure = [&](std::string name, std::string unit, double ours, double goal) {
    figures.add({fmt::format("snapshot {} cells: {}", num_models * num_stacks, name), std::move(unit), ours, 0, "",
                 goal, fmt::format("bench_snapshot {} {}", num_models, num_stacks)});
  };
  const double before = resident_megabytes();
  const TempFolder folder;
  const auto file = folder.path() / "lookup.snapshot";
  std::shared_ptr<const LookupSnapshot> snapshot;
  const auto make = [&](std::string_view state) { return make_home(num_models, num_stacks).write(state); };
  figure("build from rows, making the rows and writing the file included", "ms",
         milliseconds([&] { snapshot = open_or_make_snapshot(file, "bench", make).value(); }), 10'000);
  ::malloc_trim(0);
  figure("memory", "MB", resident_megabytes() - before, 1000);
  figure("size of the file", "MB", static_cast<double>(std::filesystem::file_size(file)) / 1e6, 1000);
  figure("load by mapping the file, its checksum compared", "ms",
         clock_milliseconds([&] { snapshot = open_or_make_snapshot(file, "bench", make).value(); }), 10'000);
  if (num_models * num_stacks <= 1'000'000)
    figure("load from Parquet files alone, the first time", "ms", load_from_parquet(*snapshot, folder.path()), 10'000);

  const ShownResults shown = shown_results(*snapshot, {}).value();
  std::vector<double> all;
  for (const char* text : kQueries) {
    const Query query = parse_query(text).value();
    std::vector<double> times;
    std::size_t found = 0;
    for (int i = 0; i < 20; ++i)
      times.push_back(milliseconds([&] { found = evaluate(*snapshot, shown, query.where).count(); }));
    all.insert(all.end(), times.begin(), times.end());
    figure(fmt::format("{} ({} models), median", text, found), "ms", percentile(times, 0.5), 20);
  }
  figure("all these queries, p95", "ms", percentile(all, 0.95), 20);
  const auto trn2 = snapshot->find_target("trn2").value();
  std::vector<double> compares;
  for (StackNumber stack = 1; stack < std::min<std::size_t>(snapshot->stacks().size(), 30); ++stack)
    compares.push_back(milliseconds([&] { compare_on(*snapshot, trn2, stack - 1, stack); }));
  if (!compares.empty()) figure("compare two stacks, p95", "ms", percentile(compares, 0.95), 5);
  std::vector<double> views;
  for (int i = 0; i < 20; ++i) views.push_back(milliseconds([&] { make_view(*snapshot, {.text = "qwen3"}).value(); }));
  figure("first page of a view with text, median", "ms", percentile(views, 0.5), 0);
  if (argc > 3) write_csv(argv[3], *snapshot);
}
