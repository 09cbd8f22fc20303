#include "cli/home_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "base/text.h"
#include "cli/selection_files.h"
#include "os/clock.h"
#include "selection/selection.h"

namespace willitrun {
namespace {

/// Applies the Selected rule and the exclusions to the home's rankings.
Result<SelectionChoice> choose(Journal& journal) {
  ASSIGN_OR_RETURN(const SelectionFiles files, load_selection_files());
  ASSIGN_OR_RETURN(const auto models, journal.ranked_models());
  SelectionChoice choice;
  for (Choice& chosen : choose_models(models, files.rule, files.exclusions, system_clock().now())) {
    if (chosen.is_selected) choice.selected.push_back(chosen.model.id);
    if (chosen.exclusion) choice.excluded.emplace_back(chosen.model.id, std::move(*chosen.exclusion));
  }
  return choice;
}

}  // namespace

Result<OpenedHome> open_for_lookup(const Session& session) {
  ASSIGN_OR_RETURN(Home home, session.home());
  ASSIGN_OR_RETURN(Journal journal, Journal::open(home.journal()));
  ASSIGN_OR_RETURN(SelectionChoice choice, choose(journal));
  ASSIGN_OR_RETURN(auto snapshot, load_snapshot(journal, std::move(choice)));
  return OpenedHome{std::move(home), std::move(journal), std::move(snapshot)};
}

void add_stack_options(CLI::App& command, StackFilter& filter) {
  command.add_option("--target", filter.target, "Kind of device")->capture_default_str();
  command.add_option("--neuronx-cc", filter.neuronx_cc, "Compiler version, or its first parts (default: the newest)")
      ->type_name("V");
  command.add_option("--transformers", filter.transformers, "Transformers version, or its first parts")->type_name("V");
}

std::string missing_results_note(const OpenedHome& opened, const StackFilter& filter) {
  const Snapshot& snapshot = *opened.snapshot;
  if (snapshot.find_target(filter.target)) return "";
  if (snapshot.num_cells() == 0)
    return fmt::format(
        "the home '{}' has no results yet{}:\n"
        "  willitrun data pull      fetches the public Trainium results\n"
        "  willitrun rank import    fetches the Hub's lists of models\n"
        "  willitrun test MODEL     tests a model on this host",
        opened.home.root.string(), snapshot.num_models() == 0 ? " and knows no models" : "");
  std::vector<std::string> others;
  for (std::uint32_t target = 0; target < snapshot.targets().size(); ++target)
    others.push_back(fmt::format("{} ({})", snapshot.targets()[target], snapshot.cells_of_target(target).size()));
  return fmt::format("no results on target '{}' yet; this home has results on {}: choose with --target", filter.target,
                     join(others, ", "));
}

}  // namespace willitrun
