#include "store/verdicts.h"

#include <boost/json.hpp>

#include "base/text.h"
#include "store/journal_state.h"
#include "store/stored_row.h"

namespace willitrun {
namespace {

// Ours, and imported ones about something that we have no verdict about; of those, all that the newest file has.
constexpr const char* kVerdicts =
    "SELECT a.row, s.content FROM ("
    "  SELECT model_id, target, stack, row, script, 0 AS number, 0 AS imported FROM verdicts"
    "  UNION ALL"
    "  SELECT model_id, target, stack, row, script, number, 1 FROM imported_rows i"
    "  WHERE kind = 'verdict'"
    "  AND NOT EXISTS (SELECT 1 FROM verdicts v WHERE v.model_id = i.model_id AND v.target = i.target"
    "    AND v.stack = i.stack)"
    "  AND file = (SELECT max(j.file) FROM imported_rows j WHERE j.model_id = i.model_id AND j.target = i.target"
    "    AND j.stack = i.stack AND j.kind = 'verdict')"
    ") a LEFT JOIN scripts s ON ?1 AND s.sha256 = a.script WHERE 1";

/// A list of ids as the JSON array that json_each() takes.
std::string ids_as_json(const std::vector<std::string>& ids) {
  boost::json::array array;
  for (const std::string& id : ids) array.emplace_back(to_valid_utf8(id));
  return boost::json::serialize(array);
}

}  // namespace

Status store_verdict(Database& database, const Row& verdict) {
  ASSIGN_OR_RETURN(const StoredRow stored, store_script_of(database, verdict));
  const RowKey& key = stored.key;
  return database.run("INSERT OR REPLACE INTO verdicts VALUES (?, ?, ?, ?, ?)",
                      {key.model_id, key.target, key.stack, stored.json, sql_value(stored.script)});
}

Result<std::vector<Row>> select_rows(Database& database, const RowFilter& filter, std::string query,
                                     std::string_view order) {
  const std::string ids = ids_as_json(filter.model_ids.value_or(std::vector<std::string>()));
  // SQLite carries an equality into the parts of the query, where it uses the index on models, but not a list: that one
  // scans every row (5 ms for 4,000 rows against 0.01 ms; bench/http_load.py, the answer about one model).
  if (filter.model_ids && filter.model_ids->size() == 1)
    query += " AND a.model_id = json_extract(?2, '$[0]')";
  else if (filter.model_ids)
    query += " AND a.model_id IN (SELECT value FROM json_each(?2))";
  if (!filter.target.empty()) query += " AND a.target = ?3";
  if (!filter.with_imported) query += " AND NOT a.imported";
  query += " AND ?2 = ?2 AND ?3 = ?3 ";  // names every parameter: binding one that is not named would be an error
  query += order;
  ASSIGN_OR_RETURN(Statement statement,
                   database.prepare(query, {std::int64_t{filter.with_scripts}, ids, filter.target}));
  return read_rows(statement);
}

Status Journal::record_verdict(const Row& verdict) {
  ASSIGN_OR_RETURN(Transaction transaction, Transaction::begin(state_->database));
  RETURN_IF_ERROR(store_verdict(state_->database, verdict));
  return transaction.commit();
}

Result<std::vector<Row>> Journal::verdict_rows(const RowFilter& filter) {
  return select_rows(state_->database, filter, kVerdicts, "ORDER BY a.model_id, a.target, a.stack, a.number");
}

}  // namespace willitrun
