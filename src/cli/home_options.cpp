#include "cli/home_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "base/text.h"
#include "cli/selection_files.h"
#include "os/clock.h"

namespace willitrun {
Result<OpenedHome> open_for_lookup(const Session& session) {
  ASSIGN_OR_RETURN(Home home, session.home());
  ASSIGN_OR_RETURN(Journal journal, Journal::open(home.journal()));
  ASSIGN_OR_RETURN(SelectionFiles files, load_selection_files());
  const SelectionInput selection{std::move(files.rule), std::move(files.exclusions), system_clock().now()};
  ASSIGN_OR_RETURN(auto snapshot, load_snapshot(home.snapshot(), journal, selection));
  return OpenedHome{std::move(home), std::move(journal), std::move(snapshot)};
}

void add_stack_options(CLI::App& command, StackFilter& filter) {
  command.add_option("--target", filter.target, "Kind of device")->capture_default_str();
  command.add_option("--neuronx-cc", filter.neuronx_cc, "Compiler version, or its first parts (default: the newest)")
      ->type_name("V");
  command.add_option("--transformers", filter.transformers, "Transformers version, or its first parts")->type_name("V");
}

std::string missing_results_note(const OpenedHome& opened, const StackFilter& filter) {
  const LookupSnapshot& snapshot = *opened.snapshot;
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
