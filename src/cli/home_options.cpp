#include "cli/home_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "base/text.h"
#include "cli/selection_files.h"
#include "os/clock.h"
#include "os/sha256.h"

namespace willitrun {
namespace {

/// Where the snapshot of a dataset is kept between lookups: one file per place.
std::filesystem::path snapshot_of_dataset(const Home& home, const std::filesystem::path& dataset) {
  return home.root / "datasets" / fmt::format("{}.snapshot", sha256_hex(dataset.string()).substr(0, 16));
}

}  // namespace

Result<OpenedHome> open_for_lookup(const Session& session, const std::string& dataset) {
  OpenedHome opened;
  ASSIGN_OR_RETURN(opened.home, session.home());
  if (!dataset.empty()) {
    std::error_code error;
    opened.dataset = std::filesystem::weakly_canonical(dataset, error);
    if (error) opened.dataset = dataset;
    const auto file = snapshot_of_dataset(opened.home, opened.dataset);
    ASSIGN_OR_RETURN(opened.snapshot, load_snapshot_of_dataset(file, opened.dataset));
    return opened;
  }
  ASSIGN_OR_RETURN(opened.journal, Journal::open(opened.home.journal()));
  ASSIGN_OR_RETURN(SelectionFiles files, load_selection_files());
  const SelectionInput selection{std::move(files.rule), std::move(files.exclusions), system_clock().now()};
  ASSIGN_OR_RETURN(opened.snapshot, load_snapshot(opened.home.snapshot(), *opened.journal, selection));
  return opened;
}

Result<std::vector<Row>> full_rows(OpenedHome& opened, std::span<const ViewRow> rows, bool with_scripts) {
  if (opened.journal) return full_rows(*opened.journal, *opened.snapshot, rows, with_scripts);
  return full_rows_of_dataset(opened.dataset, *opened.snapshot, rows, with_scripts);
}

void add_dataset_option(CLI::App& command, std::string& dataset) {
  command.add_option("--dataset", dataset, "Look at these Parquet files (a folder or a file) instead of the home")
      ->type_name("PATH");
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
        "{} '{}' has no results yet{}:\n"
        "  willitrun data pull      fetches the public Trainium results\n"
        "  willitrun rank import    fetches the Hub's lists of models\n"
        "  willitrun test MODEL     tests a model on this host",
        opened.journal ? "the home" : "the dataset",
        opened.journal ? opened.home.root.string() : opened.dataset.string(),
        snapshot.num_models() == 0 ? " and knows no models" : "");
  std::vector<std::string> others;
  for (std::uint32_t target = 0; target < snapshot.targets().size(); ++target)
    others.push_back(fmt::format("{} ({})", snapshot.targets()[target], snapshot.cells_of_target(target).size()));
  return fmt::format("no results on target '{}' yet; there are results on {}: choose with --target", filter.target,
                     join(others, ", "));
}

}  // namespace willitrun
