#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lookup/bitmap.h"
#include "lookup/query.h"
#include "lookup/snapshot.h"

namespace willitrun {

/// The result that a view shows for each model: those of one target on one stack.
struct ShownResults {
  std::optional<std::uint32_t> target;  ///< Absent: the target has no results.
  std::optional<StackNumber> stack;     ///< Absent: no stack fits.
  std::vector<CellNumber> cells;        ///< Per model; kNone without a result.
};

/// The word that is shown for a model and its result (kNone without): the verdict, else EXCLUDED or UNTESTED.
std::string_view word_of(const LookupSnapshot& snapshot, ModelNumber model, CellNumber cell);

/// The word that is shown for a model.
std::string_view shown_word(const LookupSnapshot& snapshot, const ShownResults& shown, ModelNumber model);

/// Returns the models for which a query holds. Conditions look at the shown result; operators over stacks look at all
/// results of the target. Works on whole columns: the cost is a few passes over the columns that the query names.
Bitmap evaluate(const LookupSnapshot& snapshot, const ShownResults& shown, const QueryNode& where);

/// Puts models in the order of the keys; models that compare equal keep their order.
void sort_models(const LookupSnapshot& snapshot, const ShownResults& shown, const std::vector<SortKey>& keys,
                 std::vector<ModelNumber>& models);

}  // namespace willitrun
