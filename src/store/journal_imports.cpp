// Rows of other people's files. They are kept by file, so that a newer version of a file takes the place of the older
// one.

#include <algorithm>

#include "store/journal_state.h"
#include "store/stored_row.h"

namespace willitrun {
namespace {

constexpr std::string_view kDropUnusedScripts =
    "DELETE FROM scripts WHERE NOT EXISTS (SELECT 1 FROM attempts WHERE script = sha256) "
    "AND NOT EXISTS (SELECT 1 FROM verdicts WHERE script = sha256) "
    "AND NOT EXISTS (SELECT 1 FROM imported_rows WHERE script = sha256)";

Status insert_rows(Database& database, std::int64_t file, std::string_view kind, const std::vector<Row>& rows) {
  ASSIGN_OR_RETURN(Statement insert,
                   database.prepare("INSERT INTO imported_rows (file, kind, model_id, target, stack, row, script) "
                                    "VALUES (?, ?, ?, ?, ?, ?, ?)"));
  for (const Row& row : rows) {
    ASSIGN_OR_RETURN(const StoredRow stored, store_script_of(database, row));
    const RowKey& key = stored.key;
    RETURN_IF_ERROR(
        insert.run({file, kind, key.model_id, key.target, key.stack, stored.json, sql_value(stored.script)}));
  }
  return {};
}

}  // namespace

Status Journal::import_file(const ImportedFile& file) {
  Database& database = state_->database;
  ASSIGN_OR_RETURN(Transaction transaction, Transaction::begin(database));
  RETURN_IF_ERROR(database.run("DELETE FROM imported_files WHERE source = ? AND path = ?", {file.source, file.path}));
  const bool replaces = database.num_changes() > 0;
  RETURN_IF_ERROR(database.run(
      "INSERT INTO imported_files (source, revision, path, content_id, imported_at) VALUES (?, ?, ?, ?, ?)",
      {file.source, file.revision, file.path, file.content_id, state_->now_ms()}));
  const std::int64_t number = database.last_rowid();
  RETURN_IF_ERROR(insert_rows(database, number, "verdict", file.verdicts));
  RETURN_IF_ERROR(insert_rows(database, number, "attempt", file.attempts));
  if (replaces) RETURN_IF_ERROR(database.run(kDropUnusedScripts));
  return transaction.commit();
}

Result<int> Journal::forget_imports(std::string_view source, const std::vector<std::string>& paths_to_keep) {
  Database& database = state_->database;
  ASSIGN_OR_RETURN(Transaction transaction, Transaction::begin(database));
  ASSIGN_OR_RETURN(const auto files, imported_files(source));
  int num_forgotten = 0;
  for (const auto& [path, content_id] : files) {
    if (std::ranges::find(paths_to_keep, path) != paths_to_keep.end()) continue;
    RETURN_IF_ERROR(database.run("DELETE FROM imported_files WHERE source = ? AND path = ?", {source, path}));
    ++num_forgotten;
  }
  if (num_forgotten > 0) RETURN_IF_ERROR(database.run(kDropUnusedScripts));
  RETURN_IF_ERROR(transaction.commit());
  return num_forgotten;
}

Result<std::vector<std::pair<std::string, std::string>>> Journal::imported_files(std::string_view source) {
  std::vector<std::pair<std::string, std::string>> files;
  ASSIGN_OR_RETURN(
      Statement statement,
      state_->database.prepare("SELECT path, content_id FROM imported_files WHERE source = ? ORDER BY path", {source}));
  for (;;) {
    ASSIGN_OR_RETURN(const bool has_row, statement.step());
    if (!has_row) return files;
    files.emplace_back(statement.text(0), statement.text(1));
  }
}

}  // namespace willitrun
