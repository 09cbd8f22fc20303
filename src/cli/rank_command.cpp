#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>

#include "cli/command.h"
#include "cli/listing_source.h"
#include "cli/open_hub.h"
#include "cli/selection_files.h"
#include "store/journal.h"

namespace willitrun {
namespace {

struct Options {
  std::string path;
  int limit = 2000;
};

Result<std::vector<Listing>> read_listings(const Session& session, const Options& options) {
  if (!options.path.empty()) return read_local_listings(options.path);
  ASSIGN_OR_RETURN(const SelectionFiles files, load_selection_files());
  ASSIGN_OR_RETURN(const auto hub, open_hub(session));
  ASSIGN_OR_RETURN(Listing listing, read_hub_listing(*hub, files.rule.tasks, options.limit, system_clock()));
  return std::vector{std::move(listing)};
}

void print_listing(const Listing& listing) {
  std::map<std::string, int> by_task;
  for (const RankedModel& model : listing.models) ++by_task[model.task];
  fmt::print("{} of {}: {} models of {} tasks\n", listing.source, to_text(listing.taken_at).substr(0, 10),
             listing.models.size(), by_task.size());
}

Result<ExitStatus> run(const Session& session, const Options& options) {
  ASSIGN_OR_RETURN(const Home home, session.home());
  ASSIGN_OR_RETURN(Journal journal, Journal::open(home.journal()));
  ASSIGN_OR_RETURN(const auto listings, read_listings(session, options));
  for (const Listing& listing : listings) {
    RETURN_IF_ERROR(journal.import_listing(listing));
    if (!session.quiet) print_listing(listing);
  }
  if (!session.quiet) fmt::print("Next: willitrun select\n");
  return ExitStatus::Ok;
}

}  // namespace

void add_rank_command(CLI::App& app, Command& chosen) {
  const auto options = std::make_shared<Options>();
  CLI::App* rank = app.add_subcommand("rank", "Keep ranked lists of models");
  rank->footer("Example:\n  willitrun rank import");
  rank->require_subcommand(1);
  rank->fallthrough();
  CLI::App* command =
      rank->add_subcommand("import", "Bring lists of models by downloads and trending score into the home");
  command->footer("Examples:\n  willitrun rank import\n  willitrun rank import lists/");
  command->add_option("PATH", options->path, "A list or a folder of lists (default: ask the Hub)");
  command->add_option("--limit", options->limit, "How many models of each of the Hub's lists")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command->callback(
      [&chosen, options] { chosen = [options](const Session& session) { return run(session, *options); }; });
}

}  // namespace willitrun
