#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lookup/snapshot.h"
#include "lookup/stack_lines.h"
#include "lookup/view.h"

namespace willitrun {

/// The histories of a model on one target.
struct TargetHistory {
  std::string target;
  std::vector<StackLine> lines;  ///< Those with at least one result, along the axis that has more results in a line.
};

/// Everything that a snapshot knows about one model.
struct ModelPage {
  ModelNumber model = 0;
  Row facts;                   ///< Task, downloads, ranks, exclusion.
  std::vector<ViewRow> cells;  ///< All results: the asked target first, newest stack first.
  std::size_t shown = 0;       ///< Which of `cells` the filter chooses: the newest that fits. 0 when there is none.
  std::vector<TargetHistory> histories;
};

/// Finds a model by its id, in any case. NotFound names models with like names.
Result<ModelNumber> find_model(const LookupSnapshot& snapshot, std::string_view id);

/// Makes the page. A target without results does not fail: results of others are still listed, each under its target.
/// InvalidArgument names versions that the model has no result with.
Result<ModelPage> make_model_page(const LookupSnapshot& snapshot, ModelNumber model, const StackFilter& filter);

/// The command that fetches compiled graphs of the stack's compiler; empty without a compiler.
std::string cache_command(const Stack& stack);

/// Where two texts part: the number of bytes that are equal, ending at a character.
std::size_t common_prefix(std::string_view a, std::string_view b);

}  // namespace willitrun
