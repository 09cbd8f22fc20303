#include "lookup/home_snapshot.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/text.h"
#include "domain/row_stack.h"
#include "lookup/snapshot_builder.h"
#include "lookup/snapshot_cache.h"
#include "selection/selection.h"
#include "store/dataset.h"

namespace willitrun {
namespace {

/// What a cell of a snapshot stands for.
using CellKey = std::pair<std::string, std::pair<std::string, std::string>>;  // model, (target, stack)

CellKey key_of(const Row& row) { return {row.model_id.value_or(""), {shown_target(row), stack_key(stack_of(row))}}; }

/// The newest row of every cell.
std::map<CellKey, Row> newest_rows(std::vector<Row> rows) {
  std::map<CellKey, Row> newest;
  for (Row& row : rows) {
    const auto [known, is_new] = newest.try_emplace(key_of(row));
    if (is_new || known->second.tested_at < row.tested_at) known->second = std::move(row);
  }
  return newest;
}

/// Adds what the snapshot knows about the model: ranks and downloads change after a row was written.
void add_model_facts(Row& row, const Row& known) {
  row.verdict = known.verdict;
  row.downloads = known.downloads;
  row.downloads_rank = known.downloads_rank;
  row.trending_rank = known.trending_rank;
  if (!row.task) row.task = known.task;
  if (!row.exclusion) row.exclusion = known.exclusion;
}

}  // namespace

Result<std::string> state_of_home(Journal& journal, const SelectionInput& selection) {
  ASSIGN_OR_RETURN(std::string made_from, journal.content_token());
  const SelectionRule& rule = selection.rule;
  made_from +=
      fmt::format("\nrule {} {} {} {} {} {} {}\n", rule.name, join(rule.tasks, ","), join(rule.libraries, ","),
                  join(rule.formats, ","), rule.top_downloads, rule.top_trending, rule.max_parameters.value_or(-1));
  for (const Exclusion& exclusion : selection.exclusions)
    if (!exclusion.expires || *exclusion.expires > selection.now)
      made_from += fmt::format("not {}\n{}\n{}\n", exclusion.model, to_text(exclusion.kind), exclusion.reason);
  return snapshot_state(made_from);
}

Result<std::shared_ptr<const LookupSnapshot>> load_snapshot(const std::filesystem::path& file, Journal& journal,
                                                            const SelectionInput& selection) {
  // The state is read first: rows that come in between make the file newer than it says, and it is made again.
  ASSIGN_OR_RETURN(const std::string state, state_of_home(journal, selection));
  return open_or_make_snapshot(file, state, [&](std::string_view made_from) -> Result<std::string> {
    SnapshotInput input;
    ASSIGN_OR_RETURN(input.models, journal.ranked_models());
    ASSIGN_OR_RETURN(input.rows, journal.verdict_rows());
    for (const Choice& choice : choose_models(input.models, selection.rule, selection.exclusions, selection.now)) {
      if (choice.is_selected) input.selected.push_back(choice.model.id);
      if (choice.exclusion) input.excluded.emplace_back(choice.model.id, *choice.exclusion);
    }
    return builder_of(input).write(made_from);
  });
}

Result<std::shared_ptr<const LookupSnapshot>> load_snapshot_of_dataset(const std::filesystem::path& path) {
  ASSIGN_OR_RETURN(Dataset dataset, read_dataset(path));
  SnapshotInput input;
  input.rows = std::move(dataset.verdicts);
  return make_snapshot(input);
}

Result<std::vector<Row>> full_rows(Journal& journal, const LookupSnapshot& snapshot, std::span<const ViewRow> rows,
                                   bool with_scripts) {
  RowFilter filter{.model_ids = std::vector<std::string>(), .target = {}, .with_scripts = with_scripts};
  for (const ViewRow& row : rows)
    if (row.cell) filter.model_ids->emplace_back(snapshot.model_id(row.model));
  ASSIGN_OR_RETURN(std::vector<Row> stored, journal.verdict_rows(filter));
  std::map<CellKey, Row> newest = newest_rows(std::move(stored));
  std::vector<Row> full;
  for (const ViewRow& row : rows) {
    Row known = row_of(snapshot, row);
    const auto found = newest.find(key_of(known));
    if (!row.cell || found == newest.end()) {
      full.push_back(std::move(known));
      continue;
    }
    add_model_facts(found->second, known);
    full.push_back(std::move(found->second));
  }
  return full;
}

}  // namespace willitrun
