#include "store/stored_row.h"

#include "base/text.h"
#include "domain/row_columns.h"
#include "domain/row_json.h"
#include "domain/row_stack.h"
#include "os/sha256.h"

namespace willitrun {
namespace {

/// Makes every text of the row well-formed: JSON and Parquet hold nothing else, and logs of models hold anything.
void make_texts_valid(Row& row) {
  for (const RowColumn& column : row_columns()) {
    Cell cell = column.get(row);
    if (auto* text = std::get_if<std::string>(&cell); text != nullptr && !is_utf8(*text)) {
      column.set(row, to_valid_utf8(*text));
    } else if (auto* list = std::get_if<std::vector<std::string>>(&cell)) {
      for (std::string& item : *list) item = to_valid_utf8(item);
      column.set(row, std::move(*list));
    }
  }
}

}  // namespace

Result<RowKey> key_of(const Row& row) {
  if (!row.model_id || row.model_id->empty()) return fail(Code::InvalidArgument, "a row names no model");
  return RowKey{*row.model_id, target_of(row), canonical_text(stack_of(row))};
}

Result<StoredRow> store_script_of(Database& database, Row row) {
  make_texts_valid(row);
  StoredRow stored;
  ASSIGN_OR_RETURN(stored.key, key_of(row));
  if (row.run_py) {
    stored.script = sha256_hex(*row.run_py);
    RETURN_IF_ERROR(database.run("INSERT OR IGNORE INTO scripts VALUES (?, ?)",
                                 {std::string_view(*stored.script), std::string_view(*row.run_py)}));
    row.run_py.reset();
  }
  stored.json = to_json(row);
  return stored;
}

Result<std::vector<Row>> read_rows(Statement& statement) {
  std::vector<Row> rows;
  for (;;) {
    ASSIGN_OR_RETURN(const bool has_row, statement.step());
    if (!has_row) return rows;
    ASSIGN_OR_RETURN(Row row, row_from_json(statement.text(0)));
    row.run_py = statement.maybe_text(1);
    rows.push_back(std::move(row));
  }
}

}  // namespace willitrun
