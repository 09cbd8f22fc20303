// Attempts: each is one row that is written before the attempt starts, gets its marks while it runs, and is closed
// once. The verdict that it leads to is stored in the same transaction as its end, so the two never part.

#include <fmt/format.h>

#include <random>

#include "domain/row_json.h"
#include "domain/verdict.h"
#include "store/journal_state.h"
#include "store/stored_row.h"
#include "store/verdicts.h"

namespace willitrun {
namespace {

/// Makes an id that sorts by time and that two machines will not both make: `20261031T080500-9f3a6c21`.
std::string new_attempt_id(Time now) {
  std::string digits;
  for (const char c : to_text(now).substr(0, 19))
    if (c != '-' && c != ':') digits += c;
  return fmt::format("{}-{:08x}", digits, std::random_device()());
}

/// An attempt that is not finished.
struct OpenAttempt {
  std::int64_t number = 0;
  std::string id;
  Time began_at;
  Row known;
  ProcessIdentity owner;
};

constexpr std::string_view kOpenAttempts =
    "SELECT number, id, began_at, row, owner_pid, owner_start_ticks, owner_boot_id FROM attempts "
    "WHERE state = 'running' ORDER BY number";

Result<OpenAttempt> read_open_attempt(const Statement& statement) {
  OpenAttempt attempt;
  attempt.number = statement.integer(0);
  attempt.id = statement.text(1);
  attempt.began_at = time_of_ms(statement.integer(2));
  ASSIGN_OR_RETURN(attempt.known, row_from_json(statement.text(3)));
  attempt.owner = ProcessIdentity{statement.integer(4), statement.integer(5), statement.text(6)};
  return attempt;
}

Result<std::vector<OpenAttempt>> open_attempts(Database& database) {
  std::vector<OpenAttempt> attempts;
  ASSIGN_OR_RETURN(Statement statement, database.prepare(kOpenAttempts));
  for (;;) {
    ASSIGN_OR_RETURN(const bool has_row, statement.step());
    if (!has_row) return attempts;
    ASSIGN_OR_RETURN(attempts.emplace_back(), read_open_attempt(statement));
  }
}

/// Where an attempt is in the journal, when it may still be changed.
struct AttemptPlace {
  std::int64_t number = 0;
  Time began_at;
};

Result<AttemptPlace> find_open(Database& database, std::string_view id) {
  ASSIGN_OR_RETURN(Statement statement,
                   database.prepare("SELECT number, began_at, state FROM attempts WHERE id = ?", {id}));
  ASSIGN_OR_RETURN(const bool found, statement.step());
  if (!found) return fail(Code::NotFound, fmt::format("there is no attempt '{}'", id));
  if (statement.text(2) != "running") return fail(Code::AlreadyExists, fmt::format("the attempt '{}' is finished", id));
  return AttemptPlace{statement.integer(0), time_of_ms(statement.integer(1))};
}

Result<std::vector<Row>> finished_attempts_about(Database& database, const RowKey& key) {
  ASSIGN_OR_RETURN(
      Statement statement,
      database.prepare("SELECT a.row, s.content FROM attempts a LEFT JOIN scripts s ON s.sha256 = a.script "
                       "WHERE a.state = 'finished' AND a.model_id = ? AND a.target = ? AND a.stack = ? "
                       "ORDER BY a.number",
                       {key.model_id, key.target, key.stack}));
  return read_rows(statement);
}

/// Makes the verdict that the finished attempts about `key` lead to, and stores it. Runs inside a transaction.
Result<Row> renew_verdict(Database& database, const RowKey& key, const VerdictRule& rule) {
  ASSIGN_OR_RETURN(const auto attempts, finished_attempts_about(database, key));
  const Row verdict = rule(attempts);
  ASSIGN_OR_RETURN(const RowKey verdict_key, key_of(verdict));
  if (verdict_key != key)
    return fail(Code::Internal,
                fmt::format("the verdict about '{}' came back about another model, stack or target", key.model_id));
  RETURN_IF_ERROR(store_verdict(database, verdict));
  return verdict;
}

constexpr const char* kAttempts =
    "SELECT a.row, s.content FROM ("
    "  SELECT model_id, target, row, script, number, 0 AS imported FROM attempts WHERE state = 'finished'"
    "  UNION ALL"
    "  SELECT model_id, target, row, script, number, 1 FROM imported_rows i WHERE kind = 'attempt'"
    "  AND NOT EXISTS (SELECT 1 FROM attempts o WHERE o.id = i.row ->> '$.attempt_id')"
    ") a LEFT JOIN scripts s ON ?1 AND s.sha256 = a.script WHERE 1";

/// Stores the end of an attempt and the verdict that follows. Runs inside a transaction.
Result<Row> close_attempt(Database& database, std::string_view id, Row row, std::int64_t now_ms,
                          const VerdictRule& rule) {
  ASSIGN_OR_RETURN(const AttemptPlace place, find_open(database, id));
  row.attempt_id = id;
  if (!row.tested_at) row.tested_at = place.began_at;
  ASSIGN_OR_RETURN(const StoredRow stored, store_script_of(database, row));
  const RowKey& key = stored.key;
  RETURN_IF_ERROR(
      database.run("UPDATE attempts SET state = 'finished', model_id = ?, target = ?, stack = ?, inputs_digest = ?, "
                   "finished_at = ?, "
                   "row = ?, script = ? WHERE number = ?",
                   {key.model_id, key.target, key.stack, sql_value(row.inputs_digest), now_ms, stored.json,
                    sql_value(stored.script), place.number}));
  return renew_verdict(database, key, rule);
}

Result<std::optional<std::string>> last_mark_of(Database& database, std::int64_t attempt) {
  ASSIGN_OR_RETURN(Statement statement,
                   database.prepare("SELECT mark FROM marks WHERE attempt = ? ORDER BY rowid DESC LIMIT 1", {attempt}));
  ASSIGN_OR_RETURN(const bool found, statement.step());
  return found ? std::optional(statement.text(0)) : std::nullopt;
}

/// The row of an attempt whose process is gone. Nothing is known against the model.
Row row_of_lost(const OpenAttempt& attempt, std::optional<std::string> last_mark) {
  Row row = attempt.known;
  row.verdict = to_text(Verdict::Indeterminate);
  row.result = row.verdict;
  row.evidence = to_text(Evidence::None);
  row.reached = std::move(last_mark);
  row.stage = to_text(Stage::Infra);
  row.failure_class = "worker_lost";
  row.signature = "worker_lost";
  row.charged_to = to_text(ChargedTo::Infra);
  row.error =
      fmt::format("the program that ran this attempt (process {}) ended before the attempt did", attempt.owner.pid);
  return row;
}

}  // namespace

Result<std::string> Journal::begin_attempt(Row known) {
  Database& database = state_->database;
  const Time now = state_->clock->now();
  const std::string id = new_attempt_id(now);
  known.attempt_id = id;
  known.tested_at = now;
  ASSIGN_OR_RETURN(Transaction transaction, Transaction::begin(database));
  ASSIGN_OR_RETURN(const StoredRow stored, store_script_of(database, known));
  const RowKey& key = stored.key;
  const ProcessIdentity& owner = state_->owner;
  RETURN_IF_ERROR(database.run(
      "INSERT INTO attempts (id, state, model_id, target, stack, inputs_digest, owner_pid, owner_start_ticks, "
      "owner_boot_id, began_at, row, script) VALUES (?, 'running', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      {id, key.model_id, key.target, key.stack, sql_value(known.inputs_digest), owner.pid, owner.start_ticks,
       owner.boot_id, now.time_since_epoch().count(), stored.json, sql_value(stored.script)}));
  RETURN_IF_ERROR(transaction.commit());
  return id;
}

Status Journal::add_mark(std::string_view attempt_id, Mark mark) {
  ASSIGN_OR_RETURN(Transaction transaction, Transaction::begin(state_->database));
  ASSIGN_OR_RETURN(const AttemptPlace place, find_open(state_->database, attempt_id));
  RETURN_IF_ERROR(state_->database.run("INSERT OR IGNORE INTO marks VALUES (?, ?, ?)",
                                       {place.number, to_text(mark), state_->now_ms()}));
  return transaction.commit();
}

Result<Row> Journal::finish_attempt(std::string_view attempt_id, Row row, const VerdictRule& rule) {
  ASSIGN_OR_RETURN(Transaction transaction, Transaction::begin(state_->database));
  ASSIGN_OR_RETURN(Row verdict, close_attempt(state_->database, attempt_id, std::move(row), state_->now_ms(), rule));
  RETURN_IF_ERROR(transaction.commit());
  return verdict;
}

Result<std::vector<Row>> Journal::close_abandoned(const VerdictRule& rule) {
  Database& database = state_->database;
  std::vector<Row> closed;
  ASSIGN_OR_RETURN(Transaction transaction, Transaction::begin(database));
  ASSIGN_OR_RETURN(const auto attempts, open_attempts(database));
  for (const OpenAttempt& attempt : attempts) {
    ASSIGN_OR_RETURN(const bool owned, is_running(attempt.owner));
    if (owned) continue;
    ASSIGN_OR_RETURN(auto last_mark, last_mark_of(database, attempt.number));
    Row row = row_of_lost(attempt, std::move(last_mark));
    RETURN_IF_ERROR(close_attempt(database, attempt.id, row, state_->now_ms(), rule));
    closed.push_back(std::move(row));
  }
  RETURN_IF_ERROR(transaction.commit());
  return closed;
}

Result<std::optional<Row>> Journal::last_attempt_with_inputs(std::string_view inputs_digest) {
  ASSIGN_OR_RETURN(
      Statement statement,
      state_->database.prepare("SELECT a.row, s.content FROM attempts a LEFT JOIN scripts s ON s.sha256 = a.script "
                               "WHERE a.inputs_digest = ? AND a.state = 'finished' ORDER BY a.number DESC LIMIT 1",
                               {inputs_digest}));
  ASSIGN_OR_RETURN(auto rows, read_rows(statement));
  return rows.empty() ? std::nullopt : std::optional(std::move(rows.front()));
}

Result<std::vector<Row>> Journal::attempt_rows(const RowFilter& filter) {
  return select_rows(state_->database, filter, kAttempts, "ORDER BY a.imported DESC, a.number");
}

Result<std::vector<Row>> Journal::running_attempts() {
  std::vector<Row> rows;
  ASSIGN_OR_RETURN(auto attempts, open_attempts(state_->database));
  for (OpenAttempt& attempt : attempts) rows.push_back(std::move(attempt.known));
  return rows;
}

Result<std::vector<RecordedMark>> Journal::marks_of(std::string_view attempt_id) {
  std::vector<RecordedMark> marks;
  ASSIGN_OR_RETURN(Statement statement,
                   state_->database.prepare("SELECT m.mark, m.entered_at FROM marks m JOIN attempts a ON "
                                            "a.number = m.attempt WHERE a.id = ? ORDER BY m.rowid",
                                            {attempt_id}));
  for (;;) {
    ASSIGN_OR_RETURN(const bool has_row, statement.step());
    if (!has_row) return marks;
    const auto mark = from_text<Mark>(statement.text(0));
    if (!mark) return fail(Code::Corruption, fmt::format("the journal holds an unknown mark '{}'", statement.text(0)));
    marks.push_back({*mark, time_of_ms(statement.integer(1))});
  }
}

}  // namespace willitrun
