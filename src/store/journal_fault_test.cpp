// The journal under real faults: processes that are killed, two writers, a disk that is full, a file that is damaged.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>

#include "os/file.h"
#include "store/database.h"
#include "store/journal.h"
#include "testing/child_process.h"
#include "testing/small_disk.h"
#include "testing/temp_folder.h"

namespace willitrun {
namespace {

using testing::HasSubstr;

Row row_about(std::string model) {
  Row row;
  row.model_id = std::move(model);
  row.target = "cpu";
  return row;
}

Row count_attempts(const std::vector<Row>& attempts) {
  Row verdict = attempts.back();
  verdict.attempts = static_cast<std::int32_t>(attempts.size());
  return verdict;
}

bool run_attempts(const std::filesystem::path& file, int count) {
  auto journal = Journal::open(file);
  if (!journal) return false;
  for (int i = 0; i < count; ++i) {
    const auto id = journal->begin_attempt(row_about("a/b"));
    if (!id || !journal->add_mark(*id, Mark::Load)) return false;
    if (!journal->finish_attempt(*id, row_about("a/b"), count_attempts)) return false;
  }
  return true;
}

std::string integrity_of(const std::filesystem::path& file) {
  Database database = Database::open(file).value();
  Statement check = database.prepare("PRAGMA integrity_check").value();
  return check.step().value() ? check.text(0) : "";
}

TEST(JournalFault, TwoWritersLoseNoAttempt) {
  const TempFolder folder;
  const auto file = folder.path() / "journal.sqlite";
  constexpr int kEach = 40;
  const pid_t first = start_child([&] { return run_attempts(file, kEach); });
  const pid_t second = start_child([&] { return run_attempts(file, kEach); });
  EXPECT_EQ(wait_for_child(first), 0);
  EXPECT_EQ(wait_for_child(second), 0);
  Journal journal = Journal::open(file).value();
  EXPECT_EQ(journal.attempt_rows().value().size(), 2U * kEach);
  EXPECT_EQ(journal.verdict_rows().value().at(0).attempts, 2 * kEach);
}

TEST(JournalFault, ManyMayOpenANewJournalAtOnce) {
  for (int round = 0; round < 25; ++round) {
    const TempFolder folder;
    const auto file = folder.path() / "journal.sqlite";
    std::vector<pid_t> children;
    for (int i = 0; i < 4; ++i) children.push_back(start_child([&] { return run_attempts(file, 1); }));
    for (const pid_t child : children) ASSERT_EQ(wait_for_child(child), 0) << "round " << round;
    EXPECT_EQ(Journal::open(file).value().attempt_rows().value().size(), children.size());
  }
}

TEST(JournalFault, AttemptOfKilledProcessIsClosedWithItsLastMark) {
  const TempFolder folder;
  const auto file = folder.path() / "journal.sqlite";
  const pid_t child = start_child([&] {
    Journal journal = Journal::open(file).value();
    const auto id = journal.begin_attempt(row_about("a/killed"));
    static_cast<void>(journal.add_mark(*id, Mark::Load));
    static_cast<void>(journal.add_mark(*id, Mark::Compile));
    return ::raise(SIGKILL) == 0;
  });
  ASSERT_EQ(wait_for_child(child), 128 + SIGKILL);
  Journal journal = Journal::open(file).value();
  ASSERT_TRUE(journal.begin_attempt(row_about("a/mine")));
  const auto closed = journal.close_abandoned(count_attempts).value();
  ASSERT_EQ(closed.size(), 1U);
  EXPECT_EQ(closed[0].model_id, "a/killed");
  EXPECT_EQ(closed[0].verdict, "INDETERMINATE");
  EXPECT_EQ(closed[0].reached, "compile");
  EXPECT_EQ(closed[0].failure_class, "worker_lost");
  EXPECT_EQ(closed[0].charged_to, "infra");
  EXPECT_EQ(journal.verdict_rows().value().at(0).verdict, "INDETERMINATE");
  EXPECT_TRUE(journal.close_abandoned(count_attempts).value().empty()) << "mine still runs";
  EXPECT_EQ(journal.running_attempts().value().at(0).model_id, "a/mine");
}

TEST(JournalFault, KillAtAnyMomentLeavesAttemptsAndVerdictsInAgreement) {
  const TempFolder folder;
  const auto file = folder.path() / "journal.sqlite";
  for (int round = 0; round < 12; ++round) {
    const pid_t child = start_child([&] { return run_attempts(file, 1'000'000); });
    ::usleep(static_cast<useconds_t>(5'000 + 7'000 * round));
    ::kill(child, SIGKILL);
    ASSERT_EQ(wait_for_child(child), 128 + SIGKILL);
    ASSERT_EQ(integrity_of(file), "ok");
    Journal journal = Journal::open(file).value();
    ASSERT_LE(journal.running_attempts().value().size(), 1U);
    ASSERT_TRUE(journal.close_abandoned(count_attempts));
    const auto attempts = journal.attempt_rows().value();
    const auto verdicts = journal.verdict_rows().value();
    ASSERT_EQ(verdicts.size(), attempts.empty() ? 0U : 1U);
    const auto counted = verdicts.empty() ? 0 : verdicts[0].attempts;
    ASSERT_EQ(counted, static_cast<std::int32_t>(attempts.size()));
  }
  EXPECT_FALSE(Journal::open(file)->attempt_rows().value().empty()) << "no round came as far as an attempt";
}

TEST(JournalFault, FullDiskIsAnErrorThatLeavesOldContent) {
  const TempFolder folder;
  const pid_t child = start_child([&] {
    if (!mount_small_disk(folder.path(), 1 << 20)) ::_exit(kNoSmallDisk);
    const auto file = folder.path() / "journal.sqlite";
    if (!run_attempts(file, 3)) return false;
    Row large = row_about("a/large");
    large.error = std::string(1 << 20, 'x');
    Journal journal = Journal::open(file).value();
    const auto id = journal.begin_attempt(large);
    if (id || id.error().code != Code::ResourceExhausted) return false;
    return journal.attempt_rows().value().size() == 3U && run_attempts(file, 1) && integrity_of(file) == "ok";
  });
  const int status = wait_for_child(child);
  if (status == kNoSmallDisk) GTEST_SKIP() << "this machine allows no tmpfs of our own";
  EXPECT_EQ(status, 0);
}

TEST(JournalFault, DamagedFileIsNamed) {
  const TempFolder folder;
  const auto file = folder.path() / "journal.sqlite";
  ASSERT_TRUE(write_file_atomically(file, std::string(8192, 'x')));
  const auto journal = Journal::open(file);
  ASSERT_FALSE(journal);
  EXPECT_EQ(journal.error().code, Code::Corruption);
  EXPECT_THAT(journal.error().message, HasSubstr(file.string()));
}

}  // namespace
}  // namespace willitrun
