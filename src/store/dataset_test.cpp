#include "store/dataset.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <map>
#include <random>

#include "domain/row_stack.h"
#include "os/file.h"
#include "store/dataset_card.h"
#include "store/parquet_codec.h"
#include "store/sample_rows.h"
#include "testing/child_process.h"
#include "testing/small_disk.h"
#include "testing/temp_folder.h"

namespace willitrun {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const Time kNow = *parse_time("2026-11-30");

Row row_about(std::string model, std::string compiler = "2.28.1+ab", std::string target = "trn2") {
  Row row;
  row.model_id = std::move(model);
  row.target = std::move(target);
  row.verdict = "PASS";
  set_stack(row, Stack{.library_version = "5.24.0", .neuronx_cc = std::move(compiler), .transformers = "5.24.0"});
  return row;
}

/// All files below a folder with their bytes; the lock file left out.
std::map<std::string, std::string> files_of(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && entry.path().filename() != ".willitrun.lock")
      files[fs::relative(entry.path(), folder).string()] = read_file(entry.path()).value();
  return files;
}

std::vector<std::string> names_of(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& [name, bytes] : files_of(folder)) names.push_back(name);
  return names;
}

std::vector<std::string> problems_of(const fs::path& path) {
  const auto problems = check_dataset(path, kNow);
  EXPECT_TRUE(problems) << problems.error().message;
  std::vector<std::string> messages;
  for (const DatasetProblem& problem : *problems) messages.push_back(problem.message);
  return messages;
}

TEST(DatasetExport, OneFolderPerTargetOneFilePerStackAttemptsBeside) {
  const TempFolder folder;
  Dataset dataset;
  dataset.verdicts = {row_about("a/b"), row_about("a/c"), row_about("a/b", "2.27.0"), row_about("a/b", "", "cpu")};
  dataset.attempts = {row_about("a/b")};
  const auto report = export_dataset(folder.path(), dataset);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->rows, 4U);
  EXPECT_EQ(report->files_written, 4);
  EXPECT_THAT(names_of(folder.path()),
              ElementsAre("attempts/trn2/neuronx-cc-2.28.1~ab_transformers-5.24.0.parquet",
                          "cpu/transformers-5.24.0.parquet", "trn2/neuronx-cc-2.27.0_transformers-5.24.0.parquet",
                          "trn2/neuronx-cc-2.28.1~ab_transformers-5.24.0.parquet"));
  const auto read = read_dataset(folder.path());
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_THAT(read->verdicts, testing::UnorderedElementsAreArray(dataset.verdicts));
  EXPECT_EQ(read->attempts, dataset.attempts);
}

TEST(DatasetExport, EqualContentGivesEqualBytesInWhateverOrder) {
  const TempFolder first, second;
  Dataset dataset;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Row row = random_row(seed);
    row.target = seed % 2 == 0 ? "trn2" : "cpu";
    set_stack(row, Stack{.library_version = seed % 3 == 0 ? "5" : "6"});
    dataset.verdicts.push_back(row);
  }
  ASSERT_TRUE(export_dataset(first.path(), dataset));
  std::ranges::shuffle(dataset.verdicts, std::mt19937_64(3));
  ASSERT_TRUE(export_dataset(second.path(), dataset));
  EXPECT_TRUE(files_of(first.path()) == files_of(second.path()));
  const auto again = export_dataset(first.path(), dataset);
  EXPECT_EQ(again->files_written, 0);
  EXPECT_EQ(again->files_unchanged, 4);
}

TEST(DatasetExport, RemovesWhatHasNoRowsLeftAndLeavesForeignFilesAlone) {
  const TempFolder folder;
  ASSERT_TRUE(export_dataset(folder.path(), {{row_about("a/b"), row_about("a/b", "2.27.0")}, {}}));
  ASSERT_TRUE(write_file_atomically(folder.path() / "trn2" / "foreign.parquet", "not ours"));
  ASSERT_TRUE(write_file_atomically(folder.path() / "trn2" / ".x.parquet.1.2.tmp", "of a writer that was killed"));
  const auto report = export_dataset(folder.path(), {{row_about("a/b")}, {}});
  EXPECT_EQ(report->files_removed, 1);
  EXPECT_THAT(names_of(folder.path()),
              ElementsAre("trn2/foreign.parquet", "trn2/neuronx-cc-2.28.1~ab_transformers-5.24.0.parquet"));
}

TEST(DatasetExport, FileNamesAreSafeAndDifferForDifferentVersions) {
  const auto name = [](std::string compiler) { return dataset_file_name(row_about("a/b", std::move(compiler))); };
  EXPECT_EQ(name("2.21.18209.0+043b1bf7"), "neuronx-cc-2.21.18209.0~043b1bf7_transformers-5.24.0.parquet");
  EXPECT_EQ(name("../x"), "neuronx-cc-%2E.%2Fx_transformers-5.24.0.parquet");
  EXPECT_NE(name("a+b"), name("a~b"));
  EXPECT_EQ(dataset_file_name(Row{}), "unknown-unknown.parquet");
  EXPECT_EQ(export_dataset("/nowhere", {{row_about("a/b", "1", "attempts")}, {}}).error().code, Code::InvalidArgument);
}

TEST(DatasetExport, FullDiskLeavesOldFilesAsTheyWere) {
  const TempFolder folder;
  const pid_t child = start_child([&] {
    if (!mount_small_disk(folder.path(), 1 << 20)) ::_exit(kNoSmallDisk);
    if (!export_dataset(folder.path(), {{row_about("a/b")}, {}})) return false;
    const auto before = files_of(folder.path());
    Row large = row_about("a/b");
    std::mt19937_64 random(5);
    large.error.emplace();
    while (large.error->size() < 4U << 20) large.error->push_back(static_cast<char>('!' + random() % 90));
    const auto report = export_dataset(folder.path(), {{large}, {}});
    return !report && report.error().code == Code::ResourceExhausted && files_of(folder.path()) == before;
  });
  const int status = wait_for_child(child);
  if (status == kNoSmallDisk) GTEST_SKIP() << "this machine allows no tmpfs of our own";
  EXPECT_EQ(status, 0);
}

TEST(DatasetExport, KilledWriterLeavesWholeFilesAndTheNextOneTidiesUp) {
  const TempFolder folder;
  Dataset dataset;
  for (int i = 0; i < 200; ++i) dataset.verdicts.push_back(row_about("a/" + std::to_string(i), std::to_string(i % 10)));
  for (int round = 0; round < 8; ++round) {
    for (Row& row : dataset.verdicts) row.notes = std::to_string(round);
    const pid_t child = start_child([&] { return export_dataset(folder.path(), dataset).has_value(); });
    ::usleep(static_cast<useconds_t>(10'000 * (round + 1)));
    ::kill(child, SIGKILL);
    wait_for_child(child);
    const auto read = read_dataset(folder.path());
    ASSERT_TRUE(read || read.error().code == Code::NotFound) << read.error().message;
  }
  ASSERT_TRUE(export_dataset(folder.path(), dataset));
  EXPECT_EQ(names_of(folder.path()).size(), 10U) << "nothing unfinished is left";
  EXPECT_THAT(read_dataset(folder.path())->verdicts, testing::UnorderedElementsAreArray(dataset.verdicts));
}

TEST(DatasetExport, TwoWritersTakeTurns) {
  const TempFolder folder;
  Dataset dataset;
  for (int i = 0; i < 100; ++i) dataset.verdicts.push_back(row_about("a/" + std::to_string(i), std::to_string(i % 5)));
  const auto write = [&] { return export_dataset(folder.path(), dataset).has_value(); };
  const pid_t first = start_child(write), second = start_child(write);
  EXPECT_EQ(wait_for_child(first), 0);
  EXPECT_EQ(wait_for_child(second), 0);
  EXPECT_EQ(names_of(folder.path()).size(), 5U);
  EXPECT_THAT(problems_of(folder.path()), IsEmpty());
}

TEST(DatasetCheck, GoodDatasetHasNoProblems) {
  const TempFolder folder;
  Row excluded = row_about("a/c");
  excluded.verdict = "EXCLUDED";
  excluded.exclusion = "needs a licence";
  Row attempt = row_about("a/b");
  attempt.attempt_id = "1";
  ASSERT_TRUE(export_dataset(folder.path(), {{row_about("a/b"), excluded}, {attempt}}));
  EXPECT_THAT(problems_of(folder.path()), IsEmpty());
}

TEST(DatasetCheck, NamesImpossibleValues) {
  const TempFolder folder;
  Row row = row_about("not an id");
  row.wall_s = -3;
  row.hbm_peak_gb = 30;
  row.hbm_capacity_gb = 24;
  row.verdict = "MAYBE";
  row.failure_class = "no_such_class";
  row.tp = 0;
  row.tokens = std::vector<std::int32_t>{1, 2};
  row.first_mismatch = 2;
  row.tested_at = *parse_time("2030-01-01");
  row.script_sha256 = "00";
  row.run_py = "x";
  row.emulated = true;
  ASSERT_TRUE(export_dataset(folder.path(), {{row}, {}}));
  EXPECT_THAT(
      problems_of(folder.path()),
      testing::UnorderedElementsAre(
          "column 'model_id' is no Hub id: 'not an id'", "column 'wall_s' is negative: -3",
          "column 'hbm_peak_gb' (30) is above 'hbm_capacity_gb' (24)", "column 'verdict' has the unknown word 'MAYBE'",
          "column 'class' has the unknown word 'no_such_class'", "column 'tp' is 0: a model needs a core",
          "column 'first_mismatch' is 2, beyond the 2 tokens",
          "column 'tested_at' is in the future: 2030-01-01T00:00:00.000Z",
          "column 'script_sha256' is not the digest of 'run_py'", "an emulated run counts as target trn2"));
}

TEST(DatasetCheck, FindsDuplicatesRowsOfAnotherStackAndCutFiles) {
  const TempFolder folder;
  const ParquetCodec& codec = **parquet_codec();
  const auto write = [&](const char* name, const std::vector<Row>& rows) {
    ASSERT_TRUE(
        write_file_atomically(folder.path() / "trn2" / name, codec.encode(rows, DatasetKind::Verdicts).value()));
  };
  write("neuronx-cc-1_transformers-5.24.0.parquet",
        {row_about("a/b", "1"), row_about("a/b", "1"), row_about("a/c", "2"), row_about("a/d", "1", "cpu")});
  const auto problems = problems_of(folder.path());
  ASSERT_EQ(problems.size(), 3U);
  EXPECT_THAT(problems[0], HasSubstr("'a/b' is here twice for one stack and target: also row 0 of"));
  EXPECT_THAT(problems[1], HasSubstr("'a/c' is of another stack than the file: it belongs into 'neuronx-cc-2_tr"));
  EXPECT_THAT(problems[2], HasSubstr("'a/d' is of target 'cpu', but lies in the folder of 'trn2'"));
  ASSERT_TRUE(write_file_atomically(folder.path() / "trn2" / "cut.parquet", "PAR1 and no end"));
  EXPECT_THAT(problems_of(folder.path()).front(), HasSubstr("is cut: its end is missing after 15 bytes"));
}

TEST(DatasetCard, NamesEveryTargetAndColumn) {
  const std::string card = dataset_card({{"cpu", 3, 0}, {"trn2", 2, 5}});
  EXPECT_THAT(card, HasSubstr("  - config_name: trn2\n    data_files: trn2/*.parquet\n    default: true\n"));
  EXPECT_THAT(card, HasSubstr("  - config_name: attempts-trn2\n    data_files: attempts/trn2/*.parquet\n"));
  EXPECT_THAT(card, HasSubstr("  - config_name: cpu\n    data_files: cpu/*.parquet\n  - config"));
  EXPECT_THAT(card, HasSubstr("| neuron_cores | int32 |"));
  EXPECT_THAT(card, HasSubstr("| tested_at | timestamp[ms, tz=UTC] |"));
}

}  // namespace
}  // namespace willitrun
