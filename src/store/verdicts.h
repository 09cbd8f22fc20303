#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "domain/row.h"
#include "store/database.h"
#include "store/journal.h"

namespace willitrun {

/// Stores a verdict in place of an older one of the same (model, stack, target).
Status store_verdict(Database& database, const Row& verdict);

/// Reads the rows that `filter` chooses. `query` selects JSON and script of rows called `a` (with model_id, target and
/// imported), takes as ?1 whether scripts are wanted, and ends in a WHERE clause that more conditions can follow.
Result<std::vector<Row>> select_rows(Database& database, const RowFilter& filter, std::string query,
                                     std::string_view order);

}  // namespace willitrun
