#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "domain/row.h"
#include "store/database.h"

namespace willitrun {

/// What a verdict is about. `stack` is the canonical text of the whole stack.
struct RowKey {
  std::string model_id;
  std::string target;
  std::string stack;

  bool operator==(const RowKey&) const = default;
};

/// Returns what a row is about. InvalidArgument when it names no model.
Result<RowKey> key_of(const Row& row);

/// A row in the form in which the journal keeps it: JSON without the script, and the digest that the script is kept
/// under.
struct StoredRow {
  RowKey key;
  std::string json;
  std::optional<std::string> script;
};

/// Stores the row's script, unless it is there, and returns what is left to store. Bytes that are not UTF-8 are
/// replaced.
Result<StoredRow> store_script_of(Database& database, Row row);

/// Reads all rows of an answer whose first two columns are a row's JSON and its script's content or null.
Result<std::vector<Row>> read_rows(Statement& statement);

}  // namespace willitrun
