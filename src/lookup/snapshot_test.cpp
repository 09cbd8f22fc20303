#include "lookup/snapshot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <thread>

#include "lookup/code_bits.h"
#include "lookup/sample_snapshot.h"
#include "lookup/snapshot_holder.h"

namespace willitrun {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(LookupSnapshot, NumbersModelsByDownloads) {
  const auto snapshot = snapshot_of(sample_input());
  EXPECT_EQ(snapshot->num_models(), 8U);
  EXPECT_EQ(snapshot->model_id(0), "Qwen/Qwen3-0.6B");
  EXPECT_EQ(snapshot->model_id(7), "private/folder");  // in no list
  EXPECT_EQ(snapshot->find_model("big/model-700b"), 6U);
  EXPECT_EQ(snapshot->find_model("qwen/qwen3-0.6b"), std::nullopt);
}

TEST(LookupSnapshot, OrdersStacksFromOldToNew) {
  std::vector<std::string> names;
  const auto snapshot = snapshot_of(sample_input());
  for (const Stack& stack : snapshot->stacks()) names.push_back(short_name(stack));
  EXPECT_THAT(names, ElementsAre("-/5.24.0", "2.27.1/5.10.2", "2.27.1/5.24.0", "2.28.1/5.10.2", "2.28.1/5.24.0"));
}

TEST(LookupSnapshot, ARowSurvivesButForWhatStaysInTheStore) {
  SnapshotInput input;
  Row row = sample_row("a/b", "FAIL");
  row.cores = 4;
  row.wall_s = 0;
  row.hbm_peak_gb = 1.25;
  row.sandboxed = true;
  row.peak_bytes_per_core = 1LL << 40;
  row.error = "long";
  row.tokens = std::vector<std::int32_t>{1};
  input.rows = {row};
  const auto snapshot = snapshot_of(input);
  row.error.reset();
  row.tokens.reset();
  EXPECT_EQ(snapshot->row_of(0), row);
}

TEST(LookupSnapshot, OfSeveralRowsOnOneStackTheNewestCounts) {
  SnapshotInput input;
  input.rows = {sample_row("a/b", "FAIL"), sample_row("a/b", "PASS"), sample_row("a/b", "FLAKY")};
  input.rows[1].tested_at = parse_time("2026-11-02");
  input.rows[1].python = "3.12";
  const auto snapshot = snapshot_of(input);
  ASSERT_EQ(snapshot->num_cells(), 1U);
  EXPECT_EQ(snapshot->verdicts().text(0), "PASS");
  EXPECT_EQ(snapshot->stacks()[0].python, "3.12");
}

TEST(LookupSnapshot, DoesNotDependOnTheOrderOfRows) {
  SnapshotInput input = sample_input();
  const auto first = snapshot_of(input);
  std::ranges::shuffle(input.rows, std::mt19937(1));
  std::ranges::shuffle(input.models, std::mt19937(2));
  const auto second = snapshot_of(input);
  ASSERT_EQ(first->num_cells(), second->num_cells());
  for (CellNumber cell = 0; cell < first->num_cells(); ++cell) EXPECT_EQ(first->row_of(cell), second->row_of(cell));
}

TEST(LookupSnapshot, ListsTheCellsOfAModelAndOfAStack) {
  const auto snapshot = snapshot_of(sample_input());
  const auto trn2 = snapshot->find_target("trn2").value();
  EXPECT_EQ(snapshot->cells_of(trn2, 0).size(), 4U);
  EXPECT_EQ(snapshot->cells_of_target(trn2).size(), 9U);
  EXPECT_EQ(snapshot->cells_on(trn2, 4).size(), 5U);
  EXPECT_THAT(snapshot->cells_on(trn2, 0), IsEmpty());  // the cpu's stack
  EXPECT_EQ(snapshot->find_target("trn3"), std::nullopt);
}

TEST(LookupSnapshot, LinksResultsAlongCompilersAndLibraries) {
  const auto snapshot = snapshot_of(sample_input());
  const auto trn2 = snapshot->find_target("trn2").value();
  const CellRange qwen = snapshot->cells_of(trn2, 0);  // 5.10.2: 2.27, 2.28; 5.24.0: 2.27, 2.28
  const CellNumber first = snapshot->cells_of_target(trn2).first;
  const BitView has_next = snapshot->has_next_compiler(trn2);
  EXPECT_TRUE(has_next.test(qwen.first - first));
  EXPECT_FALSE(has_next.test(qwen.first + 1 - first));
  EXPECT_TRUE(has_next.test(qwen.first + 2 - first));
  EXPECT_EQ(snapshot->next_library(qwen.first), qwen.first + 2);
  EXPECT_EQ(snapshot->next_library(qwen.first + 1), qwen.first + 3);
  EXPECT_EQ(snapshot->next_library(qwen.first + 2), kNone);
}

TEST(LookupSnapshot, AnEmulatedRowIsNeverOfTheRealDevice) {
  SnapshotInput input;
  input.rows = {sample_row("a/b", "PASS")};
  input.rows[0].emulated = true;  // and its target says trn2
  const auto snapshot = snapshot_of(input);
  EXPECT_THAT(snapshot->targets(), ElementsAre("trn2-emulated"));
}

TEST(LookupSnapshot, KeepsTheWordsOfOthers) {
  Row row = sample_row("a/b", "");
  row.verdict.reset();
  row.result = "OK_WITH_WARNINGS";
  EXPECT_EQ(shown_verdict(row), "OK_WITH_WARNINGS");
  row.exclusion = "not now";
  EXPECT_EQ(shown_verdict(row), "EXCLUDED");
  EXPECT_EQ(shown_verdict(Row{}), "INDETERMINATE");
}

TEST(LookupSnapshot, OfAnEmptyHomeIsEmpty) {
  const auto snapshot = snapshot_of({});
  EXPECT_EQ(snapshot->num_models(), 0U);
  EXPECT_EQ(snapshot->num_cells(), 0U);
  EXPECT_THAT(snapshot->targets(), IsEmpty());
  EXPECT_EQ(snapshot->find_model("a/b"), std::nullopt);
}

TEST(SnapshotHolder, ReadersKeepWhatTheyTookWhileItIsReplaced) {
  SnapshotHolder holder(snapshot_of({}));
  std::jthread writer([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) holder.replace(snapshot_of(sample_input()));
  });
  while (holder.get()->num_models() == 0) std::this_thread::yield();
  for (int i = 0; i < 200; ++i) {
    const auto snapshot = holder.get();
    ASSERT_EQ(snapshot->model_id(0), "Qwen/Qwen3-0.6B");
    ASSERT_EQ(snapshot->num_cells(), 11U);
  }
}

TEST(TextColumn, WidensWhenThereAreManyTexts) {
  for (const int count : {10, 300, 70'000}) {
    SnapshotInput input;
    for (int i = 0; i < count; ++i) {
      input.rows.push_back(sample_row("a/b" + std::to_string(i), "PASS"));
      input.rows.back().notes = "note " + std::to_string(i);
    }
    input.rows.push_back(sample_row("a/without", "PASS"));
    const auto snapshot = snapshot_of(input);
    const auto& notes = std::get<TextColumn>(snapshot->column("notes")->values());
    const auto cell_of = [&](const char* model) {
      return snapshot->cells_of(0, snapshot->find_model(model).value()).first;
    };
    EXPECT_EQ(notes.text(cell_of("a/b0")), "note 0");
    EXPECT_EQ(notes.text(cell_of("a/b9")), "note 9");
    EXPECT_EQ(notes.code(cell_of("a/without")), 0U);
    EXPECT_EQ(notes.texts()[notes.code_of("note 5")], "note 5");
    EXPECT_EQ(notes.code_of("none"), 0U);
    EXPECT_EQ(notes.code_of(""), 0U);
  }
}

TEST(Bitmap, CountsRangesAndShifts) {
  std::mt19937 random(3);
  for (const std::size_t size : {0U, 1U, 63U, 64U, 65U, 300U}) {
    std::vector<bool> bits;
    for (std::size_t i = 0; i < size; ++i) bits.push_back(random() % 2 == 0);
    const Bitmap bitmap = Bitmap::where(size, [&](std::size_t i) { return bits[i]; });
    const Bitmap next = bitmap.next();
    for (std::size_t first = 0; first <= size; ++first) {
      if (first < size) {
        EXPECT_EQ(next.test(first), first + 1 < size && bits[first + 1]);
      }
      for (std::size_t last = first; last <= size; ++last)
        ASSERT_EQ(bitmap.count(first, last),
                  static_cast<std::size_t>(std::count(bits.begin() + static_cast<long>(first),
                                                      bits.begin() + static_cast<long>(last), true)));
    }
    Bitmap flipped = bitmap;
    flipped.flip();
    EXPECT_EQ(flipped.count(), size - bitmap.count());
  }
}

TEST(Bitmap, SetsRangesAsBitByBit) {
  std::mt19937 random(5);
  for (int round = 0; round < 200; ++round) {
    const std::size_t size = 1 + random() % 300;
    const std::size_t first = random() % (size + 1);
    const std::size_t last = random() % (size + 1);
    Bitmap whole(size), simple(size);
    whole.set(first, last);
    for (std::size_t i = first; i < last; ++i) simple.set(i);
    ASSERT_EQ(whole, simple) << first << " to " << last << " of " << size;
  }
}

TEST(CodeBits, FindAcceptedCodesAsOneByOne) {
  std::mt19937 random(6);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::uint8_t> codes(random() % 300), accept(256, 0);
    for (std::uint8_t& code : codes) code = static_cast<std::uint8_t>(random() % (round % 2 == 0 ? 4 : 256));
    for (auto accepted = random() % 12; accepted > 0; --accepted) accept[random() % 256] = 1;
    accept[random() % 4] = 1;
    const Bitmap simple = Bitmap::where(codes.size(), [&](std::size_t i) { return accept[codes[i]] != 0; });
    ASSERT_EQ(where_accepted(codes, accept), simple);
  }
}

}  // namespace
}  // namespace willitrun
