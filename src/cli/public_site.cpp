#include "cli/public_site.h"

#include "cli/private_words.h"
#include "cli/selection_files.h"
#include "lookup/home_snapshot.h"
#include "lookup/snapshot_builder.h"
#include "os/clock.h"
#include "selection/selection.h"
#include "store/journal.h"
#include "store/redaction.h"

namespace willitrun {
namespace {

Result<Dataset> read_home(Journal& journal) {
  Dataset dataset;
  ASSIGN_OR_RETURN(dataset.verdicts, journal.verdict_rows({.with_scripts = true}));
  ASSIGN_OR_RETURN(dataset.attempts, journal.attempt_rows({.with_scripts = true}));
  return dataset;
}

}  // namespace

PublicSite::PublicSite(Dataset dataset, std::shared_ptr<const LookupSnapshot> snapshot)
    : dataset_(std::move(dataset)), snapshot_(std::move(snapshot)) {
  for (const Row& row : dataset_.verdicts)
    if (row.model_id) rows_.emplace(*row.model_id, &row);
}

Result<std::unique_ptr<PublicSite>> PublicSite::of_home(const Session& session, bool is_private) {
  ASSIGN_OR_RETURN(const Home home, session.home());
  ASSIGN_OR_RETURN(Journal journal, Journal::open(home.journal()));
  ASSIGN_OR_RETURN(const SelectionFiles files, load_selection_files());
  ASSIGN_OR_RETURN(Dataset dataset, read_home(journal));
  SnapshotInput input;
  ASSIGN_OR_RETURN(input.models, journal.ranked_models());
  if (!is_private) {
    dataset = publishable(std::move(dataset), private_words_of_machine(home));
    std::erase_if(input.models, &RankedModel::local);
  }
  input.rows = dataset.verdicts;
  for (const Choice& choice : choose_models(input.models, files.rule, files.exclusions, system_clock().now())) {
    if (choice.is_selected) input.selected.push_back(choice.model.id);
    if (choice.exclusion) input.excluded.emplace_back(choice.model.id, *choice.exclusion);
  }
  ASSIGN_OR_RETURN(auto snapshot, make_snapshot(input));
  return std::unique_ptr<PublicSite>(new PublicSite(std::move(dataset), std::move(snapshot)));
}

Result<std::unique_ptr<PublicSite>> PublicSite::of_dataset(const std::filesystem::path& path) {
  ASSIGN_OR_RETURN(Dataset dataset, read_dataset(path));
  SnapshotInput input;
  input.rows = dataset.verdicts;
  ASSIGN_OR_RETURN(auto snapshot, make_snapshot(input));
  return std::unique_ptr<PublicSite>(new PublicSite(std::move(dataset), std::move(snapshot)));
}

Result<std::vector<Row>> PublicSite::full_rows(const LookupSnapshot& snapshot, std::span<const ViewRow> rows) {
  std::vector<Row> stored;
  std::string_view last;
  for (const ViewRow& row : rows) {
    const std::string_view model = snapshot.model_id(row.model);
    if (!row.cell || model == last) continue;
    const auto [first, end] = rows_.equal_range(model);
    for (auto known = first; known != end; ++known) stored.push_back(*known->second);
    last = model;
  }
  return filled_up(snapshot, rows, std::move(stored));
}

}  // namespace willitrun
