#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "analysis/coverage.h"
#include "base/result.h"
#include "domain/enum_text.h"
#include "lookup/query.h"
#include "lookup/query_evaluation.h"
#include "lookup/snapshot.h"

namespace willitrun {

/// The product's lists of models. All show untested and excluded models too.
enum class ViewKind {
  Selected,   ///< The models that are to be tested, in the selection's order.
  Trending,   ///< The Hub's trending list.
  Downloads,  ///< All models by downloads; models that stand in no list come last.
};

constexpr auto enum_names(std::type_identity<ViewKind>) {
  return std::to_array<EnumName<ViewKind>>(
      {{ViewKind::Selected, "selected"}, {ViewKind::Trending, "trending"}, {ViewKind::Downloads, "downloads"}});
}

/// Which results to show. Versions may be given by their first parts: `2.28`.
struct StackFilter {
  std::string target = "trn2";
  std::string neuronx_cc;
  std::string transformers;
};

/// What a person asks a view for. The defaults show everything.
struct ViewRequest {
  ViewKind view = ViewKind::Downloads;
  std::string task;   ///< Empty: every task.
  StackFilter stack;  ///< Several stacks may fit: the newest one that has results on the target is shown.
  std::string text;   ///< Part of a name.
  Query where;
  std::size_t limit = 50;
  std::string cursor;  ///< `next` of the page before; empty for the first.
};

/// A model of a view.
struct ViewRow {
  ModelNumber model = 0;
  std::optional<CellNumber> cell;  ///< The result on the shown stack.
};

/// One page of a view.
struct View {
  std::vector<ViewRow> rows;
  std::uint64_t total = 0;  ///< Models on all pages.
  std::optional<std::string> next;
  std::optional<Stack> stack;  ///< The stack whose results are shown; nothing when no stack fits.
  bool relaxed = false;        ///< No name matched as typed; these match with letters and digits apart.
  Coverage coverage;           ///< Of the view and task, whatever text and query leave out.
};

/// The view that a person sees first: the selection when there is one and nothing is searched for, else all models.
ViewKind default_view(const LookupSnapshot& snapshot, bool is_search);

/// Shows one page. InvalidArgument names a version that no result has, or a cursor that is none.
Result<View> make_view(const LookupSnapshot& snapshot, const ViewRequest& request);

/// Finds the newest stack that fits and has results on the target, and each model's result on it. InvalidArgument names
/// a version that no result on that target has, and those that there are.
Result<ShownResults> shown_results(const LookupSnapshot& snapshot, const StackFilter& filter);

/// A row of a view with everything that the snapshot knows.
Row row_of(const LookupSnapshot& snapshot, const ViewRow& row);

}  // namespace willitrun
