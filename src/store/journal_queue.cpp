// Test requests. Whether one runs is read off the attempts; whether it is done is written by who took it.

#include "store/journal_state.h"

namespace willitrun {
namespace {

/// Done requests are shown for a while, the newest first.
constexpr int kShownDone = 50;

constexpr const char* kRequests =
    "SELECT q.number, q.model_id, q.target, q.transformers, q.requested_at, q.done_at,"
    "  (SELECT count(*) FROM test_votes v WHERE v.request = q.number) AS votes,"
    "  EXISTS (SELECT 1 FROM attempts a WHERE a.state = 'running' AND a.model_id = q.model_id"
    "          AND a.target = q.target) AS is_running "
    "FROM test_requests q ORDER BY q.done_at IS NOT NULL, q.done_at DESC, is_running DESC, votes DESC, q.number";

TestRequest read_request(const Statement& statement) {
  TestRequest request;
  request.id = statement.integer(0);
  request.wish = {statement.text(1), statement.text(2), statement.text(3)};
  request.requested_at = time_of_ms(statement.integer(4));
  request.votes = static_cast<std::int32_t>(statement.integer(6));
  const bool is_done = !statement.is_null(5), is_running = statement.integer(7) != 0;
  request.state = is_done ? RequestState::Done : is_running ? RequestState::Running : RequestState::Waiting;
  return request;
}

/// The number of the request that waits for the wish; nothing when there is none.
Result<std::optional<std::int64_t>> open_request(Database& database, const TestWish& wish) {
  ASSIGN_OR_RETURN(Statement statement,
                   database.prepare("SELECT number FROM test_requests WHERE model_id = ? AND target = ? AND "
                                    "transformers = ? AND done_at IS NULL",
                                    {wish.model_id, wish.target, wish.transformers}));
  ASSIGN_OR_RETURN(const bool has_row, statement.step());
  if (!has_row) return std::nullopt;
  return statement.integer(0);
}

}  // namespace

Result<std::vector<TestRequest>> Journal::test_requests() {
  std::vector<TestRequest> requests;
  std::int32_t num_waiting = 0, num_done = 0;
  ASSIGN_OR_RETURN(Statement statement, state_->database.prepare(kRequests));
  for (;;) {
    ASSIGN_OR_RETURN(const bool has_row, statement.step());
    if (!has_row) return requests;
    TestRequest request = read_request(statement);
    if (request.state == RequestState::Waiting) request.position = ++num_waiting;
    if (request.state != RequestState::Done || ++num_done <= kShownDone) requests.push_back(std::move(request));
  }
}

Result<AskedTest> Journal::ask_for_test(const TestWish& wish, std::string_view voter) {
  ASSIGN_OR_RETURN(Transaction transaction, Transaction::begin(state_->database));
  ASSIGN_OR_RETURN(auto number, open_request(state_->database, wish));
  const bool is_new = !number;
  if (is_new) {
    RETURN_IF_ERROR(state_->database.run(
        "INSERT INTO test_requests (model_id, target, transformers, requested_at) VALUES (?, ?, ?, ?)",
        {wish.model_id, wish.target, wish.transformers, state_->now_ms()}));
    number = state_->database.last_rowid();
  }
  RETURN_IF_ERROR(
      state_->database.run("INSERT OR IGNORE INTO test_votes VALUES (?, ?, ?)", {*number, voter, state_->now_ms()}));
  RETURN_IF_ERROR(transaction.commit());
  ASSIGN_OR_RETURN(const auto requests, test_requests());
  for (const TestRequest& request : requests)
    if (request.id == *number) return AskedTest{request, is_new};
  return fail(Code::Corruption, "the journal has lost a test request");
}

Status Journal::close_test_request(const TestWish& wish) {
  return state_->database.run(
      "UPDATE test_requests SET done_at = ? WHERE model_id = ? AND target = ? AND transformers = ? AND done_at IS NULL",
      {state_->now_ms(), wish.model_id, wish.target, wish.transformers});
}

}  // namespace willitrun
