#include "lookup/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "base/text.h"
#include "domain/version_order.h"

namespace willitrun {
namespace {

bool fits(std::string_view version, const std::string& wanted) {
  return wanted.empty() || version_is_within(version, wanted);
}

bool fits(const Stack& stack, const StackFilter& filter) {
  return fits(stack.neuronx_cc, filter.neuronx_cc) && fits(stack.transformers, filter.transformers);
}

/// Says which stacks there are instead of the one that was asked for.
std::unexpected<Error> no_such_stack(const LookupSnapshot& snapshot, std::uint32_t target, const StackFilter& filter) {
  std::vector<std::string> known;
  for (StackNumber stack = 0; stack < snapshot.stacks().size(); ++stack)
    if (!snapshot.cells_on(target, stack).empty()) known.push_back(short_name(snapshot.stacks()[stack]));
  std::vector<std::string> wanted;
  if (!filter.neuronx_cc.empty()) wanted.push_back("neuronx-cc " + filter.neuronx_cc);
  if (!filter.transformers.empty()) wanted.push_back("Transformers " + filter.transformers);
  return fail(Code::InvalidArgument, fmt::format("no result on target '{}' with {}: there are {}", filter.target,
                                                 join(wanted, " and "), join(known, ", ")));
}

bool is_in_view(const LookupSnapshot& snapshot, const ViewRequest& request, ModelNumber model) {
  const ModelTable& models = snapshot.models();
  if (!request.task.empty() && models.task.text(model) != request.task) return false;
  switch (request.view) {
    case ViewKind::Selected: return is_present(models.selected_rank[model]);
    case ViewKind::Trending: return is_present(models.trending_rank[model]);
    case ViewKind::Downloads: return true;
  }
  return false;
}

/// The models of a view in its order, before text and query.
std::vector<ModelNumber> models_of_view(const LookupSnapshot& snapshot, const ViewRequest& request) {
  std::vector<ModelNumber> list;
  for (ModelNumber model = 0; model < snapshot.num_models(); ++model)
    if (is_in_view(snapshot, request, model)) list.push_back(model);
  const ModelTable& models = snapshot.models();
  if (request.view == ViewKind::Selected)
    std::ranges::stable_sort(list, {}, [&](ModelNumber model) { return models.selected_rank[model]; });
  // Ranks are per task: over all tasks the score decides, which is what the ranks were made from.
  if (request.view == ViewKind::Trending && !request.task.empty())
    std::ranges::stable_sort(list, {}, [&](ModelNumber model) { return models.trending_rank[model]; });
  if (request.view == ViewKind::Trending && request.task.empty())
    std::ranges::stable_sort(list, std::greater<>(), [&](ModelNumber model) {
      return is_present(models.trending_score[model]) ? models.trending_score[model] : 0.0;
    });
  return list;
}

struct TextMatches {
  std::optional<Bitmap> models;  ///< Absent: no text was asked for.
  bool relaxed = false;
};

/// The models whose names match the text; when none does, those that match its relaxed form.
Result<TextMatches> find_text(const LookupSnapshot& snapshot, std::string_view text) {
  ASSIGN_OR_RETURN(const NameQuery typed, parse_name_query(text));
  if (typed.words.empty()) return TextMatches{};
  TextMatches found;
  auto names = snapshot.names().find(typed, 0, snapshot.num_models()).names;
  const auto looser = relaxed(typed);
  if (names.empty() && looser) {
    names = snapshot.names().find(*looser, 0, snapshot.num_models()).names;
    found.relaxed = !names.empty();
  }
  found.models.emplace(snapshot.num_models());
  for (const std::uint32_t model : names) found.models->set(model);
  return found;
}

Result<std::size_t> read_cursor(std::string_view cursor) {
  if (cursor.empty()) return 0;
  const auto offset = parse_uint(cursor);
  if (!offset) return fail(Code::InvalidArgument, fmt::format("'{}' is no cursor of a page", to_valid_utf8(cursor)));
  return static_cast<std::size_t>(*offset);
}

/// Counts by the numbers of words first: a view may have millions of models.
Coverage coverage_of_models(const LookupSnapshot& snapshot, const ShownResults& shown,
                            const std::vector<ModelNumber>& models) {
  const TextColumn& verdicts = snapshot.verdicts();
  const ModelTable& table = snapshot.models();
  const std::size_t untested = verdicts.texts().size();
  const std::size_t excluded = untested + 1;
  std::vector<std::uint64_t> num_models(untested + 2, 0);
  std::vector<std::int64_t> downloads(untested + 2, 0);
  for (const ModelNumber model : models) {
    const CellNumber cell = shown.cells[model];
    const std::size_t word = cell != kNone                      ? verdicts.code(cell)
                             : table.exclusion.code(model) != 0 ? excluded
                                                                : untested;
    ++num_models[word];
    if (is_present(table.downloads[model])) downloads[word] += table.downloads[model];
  }
  Coverage coverage;
  for (std::size_t word = 0; word < untested; ++word)
    coverage.add(verdicts.texts()[word], num_models[word], downloads[word]);
  coverage.add("UNTESTED", num_models[untested], downloads[untested]);
  coverage.add("EXCLUDED", num_models[excluded], downloads[excluded]);
  return coverage;
}

}  // namespace

Result<ShownResults> shown_results(const LookupSnapshot& snapshot, const StackFilter& filter) {
  ShownResults shown{.target = snapshot.find_target(filter.target), .stack = {}, .cells = {}};
  shown.cells.assign(snapshot.num_models(), kNone);
  if (!shown.target) return shown;
  for (auto stack = static_cast<StackNumber>(snapshot.stacks().size()); stack-- > 0 && !shown.stack;)
    if (fits(snapshot.stacks()[stack], filter) && !snapshot.cells_on(*shown.target, stack).empty()) shown.stack = stack;
  if (!shown.stack) return no_such_stack(snapshot, *shown.target, filter);
  for (const CellNumber cell : snapshot.cells_on(*shown.target, *shown.stack))
    shown.cells[snapshot.model_of(cell)] = cell;
  return shown;
}

ViewKind default_view(const LookupSnapshot& snapshot, bool is_search) {
  const bool has_selection = std::ranges::any_of(snapshot.models().selected_rank, is_present<std::int32_t>);
  return !is_search && has_selection ? ViewKind::Selected : ViewKind::Downloads;
}

Row row_of(const LookupSnapshot& snapshot, const ViewRow& row) {
  return row.cell ? snapshot.row_of(*row.cell) : snapshot.row_without_result(row.model);
}

Result<View> make_view(const LookupSnapshot& snapshot, const ViewRequest& request) {
  ASSIGN_OR_RETURN(const std::size_t offset, read_cursor(request.cursor));
  ASSIGN_OR_RETURN(const ShownResults shown, shown_results(snapshot, request.stack));
  ASSIGN_OR_RETURN(const TextMatches text, find_text(snapshot, request.text));
  std::vector<ModelNumber> models = models_of_view(snapshot, request);
  View view;
  view.relaxed = text.relaxed;
  view.coverage = coverage_of_models(snapshot, shown, models);
  if (shown.stack) view.stack = snapshot.stacks()[*shown.stack];
  Bitmap wanted = evaluate(snapshot, shown, request.where.where);
  if (text.models) wanted &= *text.models;
  std::erase_if(models, [&](ModelNumber model) { return !wanted.test(model); });
  sort_models(snapshot, shown, request.where.sort, models);
  view.total = models.size();
  for (std::size_t i = offset; i < models.size() && view.rows.size() < request.limit; ++i) {
    const CellNumber cell = shown.cells[models[i]];
    view.rows.push_back({models[i], cell == kNone ? std::nullopt : std::optional(cell)});
  }
  if (offset + view.rows.size() < models.size()) view.next = fmt::format("{}", offset + view.rows.size());
  return view;
}

}  // namespace willitrun
