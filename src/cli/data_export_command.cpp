#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/data_command.h"
#include "cli/private_words.h"
#include "os/clock.h"
#include "store/dataset.h"
#include "store/journal.h"

namespace willitrun {
namespace {

struct Options {
  std::string folder;
  std::string target;
  bool is_public = false;
};

Result<ExitStatus> run(const Session& session, const Options& options) {
  ASSIGN_OR_RETURN(const Home home, session.home());
  ASSIGN_OR_RETURN(Journal journal, Journal::open(home.journal()));
  const RowFilter filter = {.model_ids = {}, .target = options.target, .with_scripts = true};
  Dataset dataset;
  ASSIGN_OR_RETURN(dataset.verdicts, journal.verdict_rows(filter));
  ASSIGN_OR_RETURN(dataset.attempts, journal.attempt_rows(filter));
  if (options.is_public) dataset = publishable(std::move(dataset), private_words_of_machine(home));
  const auto folder = options.folder.empty() ? home.dataset() : std::filesystem::path(options.folder);
  ASSIGN_OR_RETURN(const ExportReport report, export_dataset(folder, std::move(dataset)));
  if (!session.quiet)
    fmt::print("{}: {} rows; {} files written, {} unchanged, {} removed\n", folder.string(), report.rows,
               report.files_written, report.files_unchanged, report.files_removed);
  return ExitStatus::Ok;
}

}  // namespace

void add_data_export(CLI::App& data, Command& chosen) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = data.add_subcommand("export", "Write everything this home knows as Parquet files");
  command->footer(
      "Example:\n  willitrun data export results/ && python3 -c 'import pandas; "
      "print(pandas.read_parquet(\"results/trn2\"))'");
  command->add_option("DIR", options->folder, "Folder to write into (default: dataset/ in the home)");
  command->add_option("--target", options->target, "Only results of one target");
  command->add_flag("--public", options->is_public,
                    "Leave out local models; take tokens, home folders and host names out of texts");
  command->callback(
      [&chosen, options] { chosen = [options](const Session& session) { return run(session, *options); }; });
}

}  // namespace willitrun
