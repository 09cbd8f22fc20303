#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "lookup/query_evaluation.h"
#include "lookup/snapshot.h"

namespace willitrun {

/// What a snapshot holds of one stack on one target.
struct StackResults {
  std::string target;
  StackNumber stack = 0;
  bool is_emulated = false;
  std::uint64_t num_models = 0;
  std::uint64_t num_passed = 0;
  std::optional<Time> newest;
};

/// Every stack that has results on a target: targets by name, newest stack first.
std::vector<StackResults> stacks_with_results(const LookupSnapshot& snapshot);

/// The results of exactly that stack.
ShownResults results_on(const LookupSnapshot& snapshot, std::uint32_t target, StackNumber stack);

/// When a result was tested; nothing when its row does not tell.
std::optional<Time> tested_at(const LookupSnapshot& snapshot, CellNumber cell);

}  // namespace willitrun
