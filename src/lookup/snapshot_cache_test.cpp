#include "lookup/snapshot_cache.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "lookup/sample_snapshot.h"
#include "lookup/snapshot_file.h"
#include "os/file.h"
#include "testing/child_process.h"
#include "testing/small_disk.h"
#include "testing/temp_folder.h"

namespace willitrun {
namespace {

namespace fs = std::filesystem;

const fs::path kFixtures = fs::path(WILLITRUN_SOURCE_DIR) / "tests/formats/fixtures";

/// A home's worth of rows in which every model has this verdict.
SnapshotInput input_with(const std::string& verdict) {
  SnapshotInput input;
  for (int i = 0; i < 200; ++i) input.rows.push_back(sample_row(fmt::format("a/b{}", i), verdict));
  return input;
}

/// Opens the file at `path`, made by `make` when need be. `num_made` counts how often.
std::shared_ptr<const LookupSnapshot> open_counting(const fs::path& path, const std::string& state, int& num_made,
                                                    const MakeSnapshot& make) {
  auto snapshot = open_or_make_snapshot(path, state, [&](std::string_view made_from) {
    ++num_made;
    return make(made_from);
  });
  return snapshot ? *snapshot : nullptr;
}

/// The same, made from `input`.
std::shared_ptr<const LookupSnapshot> open_counting(const fs::path& path, const std::string& state,
                                                    const SnapshotInput& input, int& num_made) {
  return open_counting(path, state, num_made,
                       [&](std::string_view made_from) { return builder_of(input).write(made_from); });
}

bool all_are(const LookupSnapshot& snapshot, std::string_view verdict) {
  for (CellNumber cell = 0; cell < snapshot.num_cells(); ++cell)
    if (snapshot.verdicts().text(cell) != verdict) return false;
  return snapshot.num_cells() == 200;
}

TEST(SnapshotCache, IsMadeOnceAndMappedFromThenOn) {
  const TempFolder folder;
  int num_made = 0;
  const auto path = folder.path() / "lookup.snapshot";
  const auto made = open_counting(path, "one", sample_input(), num_made);
  const auto mapped = open_counting(path, "one", sample_input(), num_made);
  EXPECT_EQ(num_made, 1);
  ASSERT_EQ(mapped->num_cells(), made->num_cells());
  ASSERT_EQ(mapped->num_models(), made->num_models());
  EXPECT_EQ(mapped->find_model("openai/gpt-oss-20b"), made->find_model("openai/gpt-oss-20b"));
  for (CellNumber cell = 0; cell < made->num_cells(); ++cell) EXPECT_EQ(mapped->row_of(cell), made->row_of(cell));
  for (ModelNumber model = 0; model < made->num_models(); ++model)
    EXPECT_EQ(mapped->row_without_result(model), made->row_without_result(model));
}

TEST(SnapshotCache, IsMadeAnewFromAnotherState) {
  const TempFolder folder;
  int num_made = 0;
  const auto path = folder.path() / "lookup.snapshot";
  EXPECT_TRUE(all_are(*open_counting(path, "one", input_with("PASS"), num_made), "PASS"));
  EXPECT_TRUE(all_are(*open_counting(path, "two", input_with("FAIL"), num_made), "FAIL"));
  EXPECT_TRUE(all_are(*open_counting(path, "two", input_with("FLAKY"), num_made), "FAIL"));
  EXPECT_EQ(num_made, 2);
}

TEST(SnapshotCache, EqualInputsGiveEqualBytes) {
  EXPECT_EQ(builder_of(sample_input()).write("x").value(), builder_of(sample_input()).write("x").value());
}

TEST(SnapshotCache, AFileThatIsCutAnywhereIsMadeAgain) {
  const TempFolder folder;
  const auto path = folder.path() / "lookup.snapshot";
  const std::string whole = builder_of(input_with("PASS")).write("one").value();
  for (std::size_t size = 0; size < whole.size(); size += whole.size() / 23) {
    ASSERT_TRUE(write_file_atomically(path, std::string_view(whole).substr(0, size)));
    int num_made = 0;
    const auto snapshot =
        open_counting(path, "one", num_made, [&](std::string_view) { return Result<std::string>(whole); });
    ASSERT_TRUE(all_are(*snapshot, "PASS")) << "cut at " << size;
    ASSERT_EQ(num_made, 1) << "cut at " << size;
    ASSERT_EQ(read_file(path).value(), whole) << "cut at " << size;
  }
}

TEST(SnapshotCache, AFileThatIsDamagedAnywhereIsMadeAgain) {
  const TempFolder folder;
  const auto path = folder.path() / "lookup.snapshot";
  const std::string whole = builder_of(input_with("PASS")).write("one").value();
  for (std::size_t at = 0; at < whole.size(); at += whole.size() / 29) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x40);
    ASSERT_TRUE(write_file_atomically(path, damaged));
    int num_made = 0;
    const auto snapshot =
        open_counting(path, "one", num_made, [&](std::string_view) { return Result<std::string>(whole); });
    ASSERT_TRUE(all_are(*snapshot, "PASS")) << "damaged at " << at;
    ASSERT_EQ(num_made, 1) << "damaged at " << at;
  }
}

TEST(SnapshotCache, SomethingElseInItsPlaceIsNotTrusted) {
  const TempFolder folder;
  for (const char* content : {"", "x", "a text that somebody put here", "WIRSNAPS"}) {
    const auto path = folder.path() / "lookup.snapshot";
    ASSERT_TRUE(write_file_atomically(path, content));
    int num_made = 0;
    EXPECT_TRUE(all_are(*open_counting(path, "one", input_with("PASS"), num_made), "PASS"));
    EXPECT_EQ(num_made, 1);
  }
  int num_made = 0;  // a folder can be neither mapped nor replaced: the answer is the same
  EXPECT_TRUE(all_are(*open_counting(folder.path(), "one", input_with("PASS"), num_made), "PASS"));
}

TEST(SnapshotCache, AFullDiskCostsTheFileNotTheAnswer) {
  const TempFolder folder;
  const pid_t child = start_child([&] {
    if (!mount_small_disk(folder.path(), 16 * 1024)) return true;  // not allowed here
    int num_made = 0;
    const auto snapshot = open_counting(folder.path() / "lookup.snapshot", "one", input_with("PASS"), num_made);
    return snapshot != nullptr && all_are(*snapshot, "PASS") && list_folder(folder.path()).value().empty();
  });
  EXPECT_EQ(wait_for_child(child), 0);
}

TEST(SnapshotCache, IsSwappedWhileOthersReadIt) {
  const TempFolder folder;
  const auto path = folder.path() / "lookup.snapshot";
  int num_made = 0;
  const auto old = open_counting(path, "PASS", input_with("PASS"), num_made);
  const auto mapped = open_counting(path, "PASS", input_with("PASS"), num_made);
  std::atomic<bool> stop = false;
  std::jthread writer([&] {
    int ignored = 0;
    for (int i = 0; i < 10; ++i)
      for (const char* verdict : {"FAIL", "FLAKY"}) open_counting(path, verdict, input_with(verdict), ignored);
    stop = true;
  });
  int num_read = 0;
  while (!stop || num_read == 0) {
    // Whatever file is found is whole and of one piece, and the one that is held stays as it was.
    const auto bytes = read_file(path).value();
    const auto file = SnapshotFileReader::open(bytes);
    ASSERT_TRUE(file && file->verify());
    ASSERT_TRUE(all_are(*open_snapshot(bytes).value(), file->state()));
    ASSERT_TRUE(all_are(*mapped, "PASS"));
    ++num_read;
  }
}

/// Compares what this program writes with the file of a version, byte by byte.
void expect_fixture(const std::string& name, const std::string& bytes) {
  const auto fixture = read_file(kFixtures / name);
  if (fixture && *fixture == bytes) return;
  const fs::path written = fs::temp_directory_path() / name;
  ASSERT_TRUE(write_file_atomically(written, bytes));
  FAIL() << name << " differs from what this program writes, which is in " << written
         << ". A changed format needs a new version and a fixture of its own.";
}

TEST(SnapshotFormat, Version1IsWrittenAndReadAsItWas) {
  expect_fixture("snapshot_1.snapshot", builder_of(sample_input()).write("sample").value());
  const auto bytes = read_file(kFixtures / "snapshot_1.snapshot").value();
  const auto file = SnapshotFileReader::open(bytes);
  ASSERT_TRUE(file && file->verify());
  EXPECT_EQ(file->state(), "sample");
  const auto read = open_snapshot(bytes).value();
  const auto made = snapshot_of(sample_input());
  ASSERT_EQ(read->num_cells(), made->num_cells());
  for (CellNumber cell = 0; cell < made->num_cells(); ++cell) EXPECT_EQ(read->row_of(cell), made->row_of(cell));
}

TEST(SnapshotFormat, AnotherVersionIsRefusedByName) {
  std::string bytes = builder_of(sample_input()).write("sample").value();
  bytes[8] = 9;
  EXPECT_THAT(SnapshotFileReader::open(bytes).error().message, testing::HasSubstr("version 9, this program knows 1"));
}

}  // namespace
}  // namespace willitrun
