#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/result.h"
#include "lookup/snapshot.h"
#include "lookup/view.h"
#include "store/journal.h"

namespace willitrun {

/// What decides which models are in the Selected view and which are excluded; comes from the selection room.
struct SelectionChoice {
  std::vector<std::string> selected;
  std::vector<std::pair<std::string, Exclusion>> excluded;
};

/// Makes a snapshot of everything that a home knows.
Result<std::shared_ptr<const Snapshot>> load_snapshot(Journal& journal, SelectionChoice choice = {});

/// Returns the rows of a view with every column, also those that a snapshot leaves in the store. `with_scripts` decides
/// about run_py, by far the largest.
Result<std::vector<Row>> full_rows(Journal& journal, const Snapshot& snapshot, std::span<const ViewRow> rows,
                                   bool with_scripts);

}  // namespace willitrun
