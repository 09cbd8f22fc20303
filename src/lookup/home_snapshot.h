#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "domain/exclusion.h"
#include "domain/selection_rule.h"
#include "lookup/snapshot.h"
#include "lookup/view.h"
#include "store/journal.h"

namespace willitrun {

/// What decides which models are in the Selected view and which are excluded.
struct SelectionInput {
  SelectionRule rule;
  std::vector<Exclusion> exclusions;
  Time now;  ///< Decides which exclusions have expired.
};

/// Names everything that a home's snapshot is made from: the journal's content, the rule, the exclusions and which of
/// them have expired. The same text means the same snapshot.
Result<std::string> state_of_home(Journal& journal, const SelectionInput& selection);

/// Gives a snapshot of everything that a home knows: from the mapped file when that is up to date, else made from the
/// journal and kept as that file (docs/formats/snapshot.md).
Result<std::shared_ptr<const LookupSnapshot>> load_snapshot(const std::filesystem::path& file, Journal& journal,
                                                            const SelectionInput& selection);

/// Gives a snapshot of a dataset's Parquet files alone: no rankings, no selection. `file` keeps it mapped for the next
/// time, as long as none of the Parquet files is replaced.
Result<std::shared_ptr<const LookupSnapshot>> load_snapshot_of_dataset(const std::filesystem::path& file,
                                                                       const std::filesystem::path& dataset);

/// Returns the rows of a view with every column, also those that a snapshot leaves in the store. `with_scripts` decides
/// about run_py, by far the largest.
Result<std::vector<Row>> full_rows(Journal& journal, const LookupSnapshot& snapshot, std::span<const ViewRow> rows,
                                   bool with_scripts);

/// The same out of a dataset's Parquet files.
Result<std::vector<Row>> full_rows_of_dataset(const std::filesystem::path& dataset, const LookupSnapshot& snapshot,
                                              std::span<const ViewRow> rows, bool with_scripts);

/// The same out of rows in memory; `stored` may hold rows of other models too.
std::vector<Row> filled_up(const LookupSnapshot& snapshot, std::span<const ViewRow> rows, std::vector<Row> stored);

}  // namespace willitrun
