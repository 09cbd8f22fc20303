#include "store/journal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "domain/row_columns.h"
#include "domain/row_stack.h"
#include "store/database.h"
#include "store/sample_rows.h"
#include "testing/temp_folder.h"

namespace willitrun {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class ManualClock : public Clock {
 public:
  Time now() const override { return time; }
  double monotonic_s() const override { return 0; }

  Time time = *parse_time("2026-10-31T08:05:00.123Z");
};

/// The verdict is the newest attempt's, and counts them.
Row newest_decides(const std::vector<Row>& attempts) {
  Row verdict = attempts.back();
  verdict.attempts = static_cast<std::int32_t>(attempts.size());
  return verdict;
}

Row row_about(std::string model, std::string transformers = "5.24.0", std::string target = "cpu") {
  Row row;
  row.model_id = std::move(model);
  row.target = std::move(target);
  set_stack(row, Stack{.library_version = transformers, .transformers = transformers});
  return row;
}

std::vector<std::string> models_of(const std::vector<Row>& rows) {
  std::vector<std::string> models;
  for (const Row& row : rows) models.push_back(*row.model_id);
  return models;
}

class JournalTest : public testing::Test {
 protected:
  std::filesystem::path file() const { return folder_.path() / "home" / "journal.sqlite"; }

  Journal open() {
    auto journal = Journal::open(file(), clock_);
    EXPECT_TRUE(journal) << journal.error().message;
    return std::move(*journal);
  }

  Row finish(Journal& journal, const Row& row) {
    const auto id = journal.begin_attempt(row);
    EXPECT_TRUE(id) << id.error().message;
    const auto verdict = journal.finish_attempt(*id, row, newest_decides);
    EXPECT_TRUE(verdict) << verdict.error().message;
    return *verdict;
  }

  TempFolder folder_;
  ManualClock clock_;
};

TEST_F(JournalTest, AttemptLeadsToVerdictThatAnotherReaderSees) {
  Journal writer = open();
  Row row = row_about("a/b");
  const std::string id = writer.begin_attempt(row).value();
  row.verdict = "PASS";
  row.run_py = "print(1)\n";
  const Row verdict = writer.finish_attempt(id, row, newest_decides).value();
  EXPECT_EQ(verdict.attempt_id, id);
  EXPECT_EQ(verdict.tested_at, clock_.time);

  Journal reader = open();
  EXPECT_THAT(reader.verdict_rows({.model_ids = {}, .target = "", .with_scripts = true}).value(), ElementsAre(verdict));
  EXPECT_EQ(reader.attempt_rows().value().at(0).verdict, "PASS");
  EXPECT_FALSE(reader.attempt_rows().value().at(0).run_py) << "scripts are read only when asked for";
}

TEST_F(JournalTest, RuleSeesAllAttemptsOfTheSameModelStackAndTargetOldestFirst) {
  Journal journal = open();
  finish(journal, row_about("a/b", "5.10.2"));
  finish(journal, row_about("a/b", "5.24.0", "trn2"));
  finish(journal, row_about("a/other"));
  Row first = row_about("a/b");
  first.verdict = "FAIL";
  Row second = row_about("a/b");
  second.verdict = "PASS";
  finish(journal, first);
  const std::string id = journal.begin_attempt(second).value();
  std::vector<std::string> seen;
  const auto rule = [&](const std::vector<Row>& attempts) {
    for (const Row& attempt : attempts) seen.push_back(*attempt.verdict);
    return newest_decides(attempts);
  };
  EXPECT_EQ(journal.finish_attempt(id, second, rule).value().attempts, 2);
  EXPECT_THAT(seen, ElementsAre("FAIL", "PASS"));
  EXPECT_EQ(journal.verdict_rows().value().size(), 4U);
}

TEST_F(JournalTest, EveryColumnSurvives) {
  Journal journal = open();
  const Row full = row_with_every_column();
  ASSERT_TRUE(journal.record_verdict(full));
  EXPECT_THAT(journal.verdict_rows({.model_ids = {}, .target = "", .with_scripts = true}).value(), ElementsAre(full));
}

TEST_F(JournalTest, BytesThatAreNotTextAreReplaced) {
  Journal journal = open();
  Row row = row_about("a/b");
  row.error = "cut \xF0\x9F";
  row.fallback_ops = std::vector<std::string>{"\xFF"};
  finish(journal, row);
  const Row read = journal.attempt_rows().value().at(0);
  EXPECT_EQ(read.error, "cut \uFFFD\uFFFD");
  EXPECT_EQ(read.fallback_ops, std::vector<std::string>{"\uFFFD"});
}

TEST_F(JournalTest, MarksKeepTheirOrderAndFirstMoment) {
  Journal journal = open();
  const std::string id = journal.begin_attempt(row_about("a/b")).value();
  ASSERT_TRUE(journal.add_mark(id, Mark::Resolve));
  const Time first = clock_.time;
  clock_.time += std::chrono::seconds(5);
  ASSERT_TRUE(journal.add_mark(id, Mark::Load));
  ASSERT_TRUE(journal.add_mark(id, Mark::Resolve));
  const auto marks = journal.marks_of(id).value();
  ASSERT_EQ(marks.size(), 2U);
  EXPECT_EQ(marks[0].mark, Mark::Resolve);
  EXPECT_EQ(marks[0].entered_at, first);
  EXPECT_EQ(marks[1].mark, Mark::Load);
  EXPECT_EQ(journal.add_mark("no-such", Mark::Load).error().code, Code::NotFound);
}

TEST_F(JournalTest, FinishedAttemptIsNeverChanged) {
  Journal journal = open();
  const std::string id = journal.begin_attempt(row_about("a/b")).value();
  ASSERT_TRUE(journal.finish_attempt(id, row_about("a/b"), newest_decides));
  EXPECT_EQ(journal.finish_attempt(id, row_about("a/b"), newest_decides).error().code, Code::AlreadyExists);
  EXPECT_EQ(journal.add_mark(id, Mark::Done).error().code, Code::AlreadyExists);
  Database raw = Database::open(file()).value();
  EXPECT_THAT(raw.execute("UPDATE attempts SET row = '{}'").error().message, HasSubstr("never changed"));
  EXPECT_THAT(raw.execute("DELETE FROM attempts").error().message, HasSubstr("never deleted"));
}

TEST_F(JournalTest, UnchangedInputsAreFoundAgainWithTheirNewestAttempt) {
  Journal journal = open();
  Row row = row_about("a/b");
  row.inputs_digest = "d1";
  row.text = "old";
  finish(journal, row);
  row.text = "new";
  finish(journal, row);
  ASSERT_TRUE(journal.begin_attempt(row)) << "an attempt that is not finished does not count";
  EXPECT_EQ(journal.last_attempt_with_inputs("d1").value().value().text, "new");
  EXPECT_FALSE(journal.last_attempt_with_inputs("d2").value());
}

TEST_F(JournalTest, VerdictAboutSomethingElseIsRefused) {
  Journal journal = open();
  const std::string id = journal.begin_attempt(row_about("a/b")).value();
  const auto wrong = [](const std::vector<Row>&) { return row_about("c/d"); };
  EXPECT_EQ(journal.finish_attempt(id, row_about("a/b"), wrong).error().code, Code::Internal);
  EXPECT_TRUE(journal.attempt_rows().value().empty());
  EXPECT_EQ(journal.running_attempts().value().size(), 1U) << "nothing of a failed transaction stays";
}

TEST_F(JournalTest, EqualWishesAreOneRequestWithOneVotePerVoter) {
  Journal journal = open();
  const TestWish wish{"a/b", "cpu", ""};
  EXPECT_TRUE(journal.ask_for_test(wish, "x").value().is_new);
  EXPECT_FALSE(journal.ask_for_test(wish, "x").value().is_new);
  const AskedTest third = journal.ask_for_test(wish, "y").value();
  EXPECT_EQ(third.request.votes, 2);
  EXPECT_EQ(third.request.position, 1);
  EXPECT_TRUE(journal.ask_for_test({"a/b", "cpu", "5.10.2"}, "x").value().is_new);
}

TEST_F(JournalTest, RequestsAreTakenByVotesAndThenByAge) {
  Journal journal = open();
  for (const char* model : {"first/a", "second/b", "third/c"})
    ASSERT_TRUE(journal.ask_for_test({model, "cpu", ""}, "x"));
  ASSERT_TRUE(journal.ask_for_test({"third/c", "cpu", ""}, "y"));
  const auto requests = journal.test_requests();
  ASSERT_TRUE(requests);
  std::vector<std::string> order;
  for (const TestRequest& request : *requests) order.push_back(request.wish.model_id);
  EXPECT_THAT(order, ElementsAre("third/c", "first/a", "second/b"));
}

TEST_F(JournalTest, ARequestRunsWithItsAttemptAndIsDoneWhenItIsClosed) {
  Journal journal = open();
  const TestWish wish{"a/b", "cpu", ""};
  ASSERT_TRUE(journal.ask_for_test(wish, "x"));
  const auto id = journal.begin_attempt(row_about("a/b"));
  ASSERT_TRUE(id);
  EXPECT_EQ(journal.test_requests().value().front().state, RequestState::Running);
  EXPECT_FALSE(journal.test_requests().value().front().position);
  ASSERT_TRUE(journal.finish_attempt(*id, row_about("a/b"), newest_decides));
  ASSERT_TRUE(journal.close_test_request(wish));
  EXPECT_EQ(open().test_requests().value().front().state, RequestState::Done);
  EXPECT_TRUE(journal.ask_for_test(wish, "x").value().is_new) << "asking again after that is a new request";
}

TEST_F(JournalTest, FilterChoosesByModelAndTarget) {
  Journal journal = open();
  for (const char* model : {"a/1", "a/2", "a/3"}) finish(journal, row_about(model));
  finish(journal, row_about("a/2", "5.24.0", "trn2"));
  const auto models = [&](RowFilter filter) { return models_of(journal.verdict_rows(filter).value()); };
  EXPECT_THAT(models({.model_ids = {{"a/3", "a/2", "absent"}}, .target = "cpu"}), ElementsAre("a/2", "a/3"));
  EXPECT_THAT(models({.model_ids = {}, .target = "trn2"}), ElementsAre("a/2"));
  EXPECT_THAT(models({.model_ids = std::vector<std::string>{}, .target = ""}), ElementsAre());
}

ImportedFile imported(std::string path, std::vector<Row> verdicts) {
  ImportedFile file;
  file.source = "owner/dataset";
  file.path = std::move(path);
  file.content_id = "digest of " + file.path;
  file.verdicts = std::move(verdicts);
  return file;
}

TEST_F(JournalTest, OwnVerdictComesBeforeImportedOne) {
  Journal journal = open();
  Row theirs = row_about("a/b");
  theirs.result = "theirs";
  ASSERT_TRUE(journal.import_file(imported("1.parquet", {theirs, row_about("a/c")})));
  EXPECT_THAT(models_of(journal.verdict_rows().value()), ElementsAre("a/b", "a/c"));
  Row ours = row_about("a/b");
  ours.result = "ours";
  finish(journal, ours);
  const auto rows = journal.verdict_rows().value();
  EXPECT_THAT(models_of(rows), ElementsAre("a/b", "a/c"));
  EXPECT_EQ(rows[0].result, "ours");
}

TEST_F(JournalTest, NewerFileReplacesItselfAndComesBeforeOthersButLosesNoRowOfItsOwn) {
  Journal journal = open();
  Row row = row_about("a/b");
  row.run_py = "old script";
  ASSERT_TRUE(journal.import_file(imported("1.parquet", {row, row_about("a/gone")})));
  row.run_py = "new script";
  row.tp = 1;
  Row twin = row;
  twin.tp = 4;
  ASSERT_TRUE(journal.import_file(imported("1.parquet", {row, twin})));
  const auto rows = journal.verdict_rows({.model_ids = {}, .target = "", .with_scripts = true}).value();
  EXPECT_THAT(rows, ElementsAre(row, twin)) << "two rows of one file about the same thing both stay";
  Database raw = Database::open(file()).value();
  Statement scripts = raw.prepare("SELECT count(*) FROM scripts").value();
  ASSERT_TRUE(scripts.step().value());
  EXPECT_EQ(scripts.integer(0), 1) << "the script that nobody uses any more is gone";

  ASSERT_TRUE(journal.import_file(imported("2.parquet", {row_about("a/b")})));
  EXPECT_EQ(journal.verdict_rows().value().size(), 1U);
  EXPECT_EQ(journal.forget_imports("owner/dataset", {"1.parquet"}).value(), 1);
  EXPECT_EQ(journal.verdict_rows().value().size(), 2U);
  EXPECT_THAT(journal.imported_files("owner/dataset").value(),
              ElementsAre(std::pair<std::string, std::string>("1.parquet", "digest of 1.parquet")));
}

RankedModel ranked(std::string id, std::string task, std::int32_t rank) {
  RankedModel model;
  model.id = std::move(id);
  model.task = std::move(task);
  model.downloads_rank = rank;
  return model;
}

TEST_F(JournalTest, NewestListOfEachTaskCounts) {
  Journal journal = open();
  const Time old = *parse_time("2026-08-01"), recent = *parse_time("2026-08-22");
  RankedModel full = ranked("a/2", "text", 1);
  full.formats = {"gguf", "safetensors"};
  full.library = "transformers";
  full.license = "mit";
  full.downloads = 12;
  full.likes = 3;
  full.trending_score = 0.5;
  full.parameters = 1LL << 40;
  full.gated = full.removed = true;
  full.trending_rank = 7;
  ASSERT_TRUE(journal.import_listing({"new", recent, {full, ranked("a/1", "text", 2)}}));
  ASSERT_TRUE(journal.import_listing({"old", old, {ranked("a/3", "text", 1), ranked("a/4", "image", 1)}}));
  RankedModel local = ranked("zoo/x", "text", 1);
  local.local = true;
  local.downloads_rank.reset();
  ASSERT_TRUE(journal.import_listing({"mirror", old, {local}}));

  EXPECT_THAT(journal.ranked_models("text").value(), ElementsAre(full, ranked("a/1", "text", 2), local));
  EXPECT_EQ(journal.ranked_models().value().size(), 4U);
  EXPECT_EQ(journal.ranking_date("text").value(), recent);
  EXPECT_EQ(journal.ranking_date("image").value(), old);
  EXPECT_FALSE(journal.ranking_date("audio").value());
}

TEST_F(JournalTest, SameSourceAndDateReplaceEachOther) {
  Journal journal = open();
  const Time date = *parse_time("2026-08-22");
  ASSERT_TRUE(journal.import_listing({"list", date, {ranked("a/1", "text", 1), ranked("a/2", "text", 2)}}));
  ASSERT_TRUE(journal.import_listing({"list", date, {ranked("a/2", "text", 1)}}));
  EXPECT_THAT(journal.ranked_models().value(), ElementsAre(ranked("a/2", "text", 1)));
}

TEST_F(JournalTest, ContentTokenChangesWithEveryChangeOfVerdictsAndRankingsAndWithNothingElse) {
  Journal writer = open();
  Journal reader = open();
  std::set<std::string> seen;
  const auto changes = [&](const char* what) {
    EXPECT_TRUE(seen.insert(reader.content_token().value()).second) << what;
    EXPECT_FALSE(seen.insert(reader.content_token().value()).second) << "asking is no change";
  };
  changes("a new journal");
  const std::string id = writer.begin_attempt(row_about("a/b")).value();
  ASSERT_TRUE(writer.add_mark(id, Mark::Load));
  EXPECT_TRUE(seen.contains(reader.content_token().value())) << "no lookup shows a running attempt";
  ASSERT_TRUE(writer.finish_attempt(id, row_about("a/b"), newest_decides));
  changes("a finished attempt");
  ASSERT_TRUE(writer.record_verdict(row_about("a/c")));
  changes("a verdict without attempt");
  ASSERT_TRUE(writer.import_file(imported("1.parquet", {row_about("a/d")})));
  changes("an imported file");
  ASSERT_TRUE(writer.import_file(imported("1.parquet", {row_about("a/e")})));
  changes("a newer version of it");
  ASSERT_TRUE(writer.forget_imports("owner/dataset", {}));
  changes("a forgotten file");
  ASSERT_TRUE(writer.import_listing({"hub", clock_.time, {ranked("a/b", "text", 1)}}));
  changes("a list");
}

TEST_F(JournalTest, NewerProgramsJournalIsRefusedByName) {
  open();
  ASSERT_TRUE(Database::open(file())->execute("INSERT INTO migrations VALUES ('from_the_future', 0)"));
  const auto journal = Journal::open(file(), clock_);
  ASSERT_FALSE(journal);
  EXPECT_EQ(journal.error().code, Code::InvalidArgument);
  EXPECT_THAT(journal.error().message, HasSubstr("'from_the_future'"));
}

}  // namespace
}  // namespace willitrun
