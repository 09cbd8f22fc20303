#include "lookup/home_snapshot.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/text.h"
#include "domain/row_stack.h"
#include "lookup/snapshot_builder.h"
#include "lookup/snapshot_cache.h"
#include "os/file.h"
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

/// The models of the rows that have a result.
std::vector<std::string> ids_of(const LookupSnapshot& snapshot, std::span<const ViewRow> rows) {
  std::vector<std::string> ids;
  for (const ViewRow& row : rows)
    if (row.cell && (ids.empty() || ids.back() != snapshot.model_id(row.model)))
      ids.emplace_back(snapshot.model_id(row.model));  // all results of a model are neighbours
  return ids;
}

/// Names the Parquet files of a dataset as they are: one that is replaced has another size or moment.
Result<std::string> description_of_files(const std::filesystem::path& dataset) {
  std::string description = "dataset\n";
  ASSIGN_OR_RETURN(const auto files, find_dataset_files(dataset));
  for (const auto& file : files) {
    std::error_code error;
    const auto written_at = std::filesystem::last_write_time(file, error).time_since_epoch().count();
    ASSIGN_OR_RETURN(const std::uint64_t size_bytes, size_of_file(file));
    description += fmt::format("{} {} {}\n", file.string(), size_bytes, written_at);
  }
  return description;
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

Result<std::shared_ptr<const LookupSnapshot>> load_snapshot_of_dataset(const std::filesystem::path& file,
                                                                       const std::filesystem::path& dataset) {
  ASSIGN_OR_RETURN(const std::string files, description_of_files(dataset));
  return open_or_make_snapshot(file, snapshot_state(files), [&](std::string_view made_from) -> Result<std::string> {
    SnapshotBuilder builder;
    const auto is_wanted = [](const RowColumn& column) {
      return column.name == "model_id" || is_kept_in_snapshot(column);
    };
    RETURN_IF_ERROR(visit_dataset_verdicts(dataset, is_wanted, [&](std::vector<Row>& rows) -> Status {
      for (const Row& row : rows) builder.add_row(row);
      return {};
    }));
    return std::move(builder).write(made_from);
  });
}

std::vector<Row> filled_up(const LookupSnapshot& snapshot, std::span<const ViewRow> rows, std::vector<Row> stored) {
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

Result<std::vector<Row>> full_rows(Journal& journal, const LookupSnapshot& snapshot, std::span<const ViewRow> rows,
                                   bool with_scripts) {
  RowFilter filter{.model_ids = ids_of(snapshot, rows), .target = {}, .with_scripts = with_scripts};
  ASSIGN_OR_RETURN(std::vector<Row> stored, journal.verdict_rows(filter));
  return filled_up(snapshot, rows, std::move(stored));
}

Result<std::vector<Row>> full_rows_of_dataset(const std::filesystem::path& dataset, const LookupSnapshot& snapshot,
                                              std::span<const ViewRow> rows, bool with_scripts) {
  const auto ids = ids_of(snapshot, rows);
  const std::set<std::string_view> wanted(ids.begin(), ids.end());
  std::vector<Row> stored;
  const auto is_wanted = [&](const RowColumn& column) { return with_scripts || column.name != "run_py"; };
  RETURN_IF_ERROR(visit_dataset_verdicts(dataset, is_wanted, [&](std::vector<Row>& some) -> Status {
    for (Row& row : some)
      if (row.model_id && wanted.contains(*row.model_id)) stored.push_back(std::move(row));
    return {};
  }));
  return filled_up(snapshot, rows, std::move(stored));
}

}  // namespace willitrun
