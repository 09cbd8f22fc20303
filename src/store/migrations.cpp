#include "store/migrations.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

namespace willitrun {
namespace {

// Rows are kept as JSON (domain/row_json.h), so that a new column needs no migration. Columns beside the JSON are those
// that queries choose by. Scripts are kept once each, apart from the rows: they are most of the bytes, and few
// questions need them.
constexpr std::string_view kAttemptsAndVerdicts = R"sql(
CREATE TABLE scripts (
  sha256 TEXT PRIMARY KEY,
  content TEXT NOT NULL
) STRICT;

CREATE TABLE attempts (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  state TEXT NOT NULL CHECK (state IN ('running', 'finished')),
  model_id TEXT NOT NULL,
  target TEXT NOT NULL,
  stack TEXT NOT NULL,
  inputs_digest TEXT,
  owner_pid INTEGER NOT NULL,
  owner_start_ticks INTEGER NOT NULL,
  owner_boot_id TEXT NOT NULL,
  began_at INTEGER NOT NULL,
  finished_at INTEGER,
  row TEXT NOT NULL,
  script TEXT REFERENCES scripts (sha256)
) STRICT;
CREATE INDEX attempts_by_model ON attempts (model_id, target, stack);
CREATE INDEX attempts_by_inputs ON attempts (inputs_digest);
CREATE INDEX attempts_by_script ON attempts (script);
CREATE INDEX attempts_running ON attempts (state) WHERE state = 'running';

CREATE TRIGGER finished_attempts_stay BEFORE UPDATE ON attempts WHEN old.state = 'finished' BEGIN
  SELECT RAISE(ABORT, 'a finished attempt is never changed');
END;
CREATE TRIGGER attempts_are_not_deleted BEFORE DELETE ON attempts BEGIN
  SELECT RAISE(ABORT, 'an attempt is never deleted');
END;

CREATE TABLE marks (
  attempt INTEGER NOT NULL REFERENCES attempts (number),
  mark TEXT NOT NULL,
  entered_at INTEGER NOT NULL,
  UNIQUE (attempt, mark)
) STRICT;

CREATE TABLE verdicts (
  model_id TEXT NOT NULL,
  target TEXT NOT NULL,
  stack TEXT NOT NULL,
  row TEXT NOT NULL,
  script TEXT REFERENCES scripts (sha256),
  PRIMARY KEY (model_id, target, stack)
) STRICT;
CREATE INDEX verdicts_by_script ON verdicts (script);
)sql";

constexpr std::string_view kImports = R"sql(
CREATE TABLE imported_files (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  source TEXT NOT NULL,
  revision TEXT NOT NULL,
  path TEXT NOT NULL,
  content_id TEXT NOT NULL,
  imported_at INTEGER NOT NULL,
  UNIQUE (source, path)
) STRICT;

CREATE TABLE imported_rows (
  number INTEGER PRIMARY KEY,
  file INTEGER NOT NULL REFERENCES imported_files (number) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('verdict', 'attempt')),
  model_id TEXT NOT NULL,
  target TEXT NOT NULL,
  stack TEXT NOT NULL,
  row TEXT NOT NULL,
  script TEXT REFERENCES scripts (sha256)
) STRICT;
CREATE INDEX imported_rows_by_model ON imported_rows (model_id, target, stack, kind, file);
CREATE INDEX imported_rows_by_script ON imported_rows (script);
CREATE INDEX imported_rows_by_file ON imported_rows (file);
)sql";

constexpr std::string_view kRankings = R"sql(
CREATE TABLE listings (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  source TEXT NOT NULL,
  taken_at INTEGER NOT NULL,
  imported_at INTEGER NOT NULL,
  UNIQUE (source, taken_at)
) STRICT;

CREATE TABLE listing_tasks (
  listing INTEGER NOT NULL REFERENCES listings (number) ON DELETE CASCADE,
  task TEXT NOT NULL,
  local INTEGER NOT NULL,
  PRIMARY KEY (listing, task, local)
) STRICT;

CREATE TABLE listed_models (
  listing INTEGER NOT NULL REFERENCES listings (number) ON DELETE CASCADE,
  model_id TEXT NOT NULL,
  task TEXT NOT NULL,
  local INTEGER NOT NULL,
  library TEXT NOT NULL,
  license TEXT NOT NULL,
  formats TEXT NOT NULL,
  downloads INTEGER,
  likes INTEGER,
  trending_score REAL,
  parameters INTEGER,
  gated INTEGER NOT NULL,
  removed INTEGER NOT NULL,
  downloads_rank INTEGER,
  trending_rank INTEGER,
  PRIMARY KEY (listing, task, local, model_id)
) STRICT, WITHOUT ROWID;
)sql";

// A new token with every change of what verdict_rows() and ranked_models() return: files that are made from them carry
// it, and are made anew when it differs. It is drawn and not counted, so that a journal that was put back from a backup
// never meets a file of its other future.
constexpr std::string_view kContentToken = R"sql(
CREATE TABLE content (
  token TEXT NOT NULL
) STRICT;
INSERT INTO content VALUES (lower(hex(randomblob(16))));

CREATE TRIGGER verdict_comes AFTER INSERT ON verdicts BEGIN
  UPDATE content SET token = lower(hex(randomblob(16)));
END;
CREATE TRIGGER verdict_changes AFTER UPDATE ON verdicts BEGIN
  UPDATE content SET token = lower(hex(randomblob(16)));
END;
CREATE TRIGGER verdict_goes AFTER DELETE ON verdicts BEGIN
  UPDATE content SET token = lower(hex(randomblob(16)));
END;
CREATE TRIGGER file_comes AFTER INSERT ON imported_files BEGIN
  UPDATE content SET token = lower(hex(randomblob(16)));
END;
CREATE TRIGGER file_goes AFTER DELETE ON imported_files BEGIN
  UPDATE content SET token = lower(hex(randomblob(16)));
END;
CREATE TRIGGER listing_comes AFTER INSERT ON listings BEGIN
  UPDATE content SET token = lower(hex(randomblob(16)));
END;
CREATE TRIGGER listing_goes AFTER DELETE ON listings BEGIN
  UPDATE content SET token = lower(hex(randomblob(16)));
END;
)sql";

// What people asked to have tested. Of equal wishes one is open at a time; further ones are votes.
constexpr std::string_view kTestRequests = R"sql(
CREATE TABLE test_requests (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  model_id TEXT NOT NULL,
  target TEXT NOT NULL,
  transformers TEXT NOT NULL,
  requested_at INTEGER NOT NULL,
  done_at INTEGER
) STRICT;
CREATE UNIQUE INDEX open_test_requests ON test_requests (model_id, target, transformers) WHERE done_at IS NULL;

CREATE TABLE test_votes (
  request INTEGER NOT NULL REFERENCES test_requests (number) ON DELETE CASCADE,
  voter TEXT NOT NULL,
  voted_at INTEGER NOT NULL,
  PRIMARY KEY (request, voter)
) STRICT, WITHOUT ROWID;
)sql";

constexpr Migration kMigrations[] = {
    {"attempts_and_verdicts", kAttemptsAndVerdicts},
    {"imports", kImports},
    {"rankings", kRankings},
    {"content_token", kContentToken},
    {"test_requests", kTestRequests},
};

constexpr const char* kNames =
    "CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, applied_at INTEGER NOT NULL) STRICT";

Result<std::set<std::string, std::less<>>> applied_names(Database& database) {
  std::set<std::string, std::less<>> names;
  ASSIGN_OR_RETURN(Statement table, database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'migrations'"));
  ASSIGN_OR_RETURN(const bool exists, table.step());
  if (!exists) return names;
  ASSIGN_OR_RETURN(Statement statement, database.prepare("SELECT name FROM migrations"));
  for (;;) {
    ASSIGN_OR_RETURN(const bool has_row, statement.step());
    if (!has_row) return names;
    names.insert(statement.text(0));
  }
}

Status refuse_unknown(const std::set<std::string, std::less<>>& names) {
  for (const std::string& name : names)
    if (std::ranges::find(kMigrations, name, &Migration::name) == std::end(kMigrations))
      return fail(Code::InvalidArgument,
                  fmt::format("the journal was written by a newer willitrun (it has the change '{}'): "
                              "install the newer program or name another home",
                              name));
  return {};
}

}  // namespace

std::span<const Migration> migrations() { return kMigrations; }

Status migrate(Database& database, Time now) {
  ASSIGN_OR_RETURN(auto names, applied_names(database));
  RETURN_IF_ERROR(refuse_unknown(names));
  if (names.size() == std::size(kMigrations)) return {};
  ASSIGN_OR_RETURN(Transaction transaction, Transaction::begin(database));
  ASSIGN_OR_RETURN(names, applied_names(database));  // another program may have been faster
  RETURN_IF_ERROR(database.execute(kNames));
  for (const Migration& migration : kMigrations) {
    if (names.contains(migration.name)) continue;
    RETURN_IF_ERROR(database.execute(std::string(migration.sql)));
    RETURN_IF_ERROR(database.run("INSERT INTO migrations VALUES (?, ?)",
                                 {std::string_view(migration.name), now.time_since_epoch().count()}));
  }
  return transaction.commit();
}

}  // namespace willitrun
