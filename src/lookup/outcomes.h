#pragma once

#include <string_view>
#include <vector>

#include "analysis/compare.h"
#include "analysis/failures.h"
#include "analysis/outcome.h"
#include "base/result.h"
#include "lookup/query_evaluation.h"
#include "lookup/snapshot.h"

namespace willitrun {

/// Reads outcomes for analyses out of a snapshot's columns. Outcomes point into the snapshot.
class OutcomeReader {
 public:
  explicit OutcomeReader(const LookupSnapshot& snapshot);

  /// The outcome of a model on one cell; kNone stands for no result.
  Outcome read(ModelNumber model, CellNumber cell) const;

 private:
  const LookupSnapshot& snapshot_;
  const TextColumn* evidence_;
  const TextColumn* stage_;
  const TextColumn* failure_class_;
  const TextColumn* signature_;
  const TextColumn* revision_;
};

/// Finds a stack by its short name or the first parts of it: `2.28.1/5.24.0`, `2.28/5.24`, `2.28` (then the newest that
/// fits and has results on the target). InvalidArgument lists the stacks that there are.
Result<StackNumber> find_stack(const LookupSnapshot& snapshot, std::uint32_t target, std::string_view name);

/// Puts two stacks of a target side by side, models with the most downloads first.
Comparison compare_on(const LookupSnapshot& snapshot, std::uint32_t target, StackNumber before, StackNumber after);

/// Clusters the failures of the shown stack; results on its older stacks tell since when.
std::vector<FailureCluster> failure_clusters(const LookupSnapshot& snapshot, const ShownResults& shown);

}  // namespace willitrun
