// `data import` and `data pull`: rows of other people's files into the journal. Both are incremental: a file whose
// bytes were imported before is left alone.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/data_command.h"
#include "cli/dataset_source.h"
#include "cli/open_hub.h"
#include "domain/model_ref.h"
#include "store/dataset.h"
#include "store/journal.h"

namespace willitrun {
namespace {

constexpr const char* kPublicDataset = "aws-neuron/torch-neuronx-model-support";

/// What an import did.
struct ImportReport {
  int files_imported = 0;
  int files_unchanged = 0;
  int files_forgotten = 0;
  std::size_t rows = 0;
  std::vector<std::string> problems;  ///< One per file that could not be read; the others were imported.
};

Result<ImportedFile> read_source_file(DatasetSource& source, const SourceFile& file) {
  ASSIGN_OR_RETURN(const std::string bytes, source.read(file));
  ASSIGN_OR_RETURN(DatasetFile dataset_file, parse_dataset_file(bytes, file.path));
  const bool are_verdicts = dataset_file.kind == DatasetKind::Verdicts;
  ImportedFile imported{source.name(), source.revision(), file.path, file.content_id, {}, {}};
  (are_verdicts ? imported.verdicts : imported.attempts) = std::move(dataset_file.rows);
  return imported;
}

bool is_about_the_file(Code code) { return code == Code::Corruption || code == Code::InvalidArgument; }

Status import_one(Journal& journal, DatasetSource& source, const SourceFile& file, ImportReport& report) {
  const auto imported = read_source_file(source, file);
  if (!imported && !is_about_the_file(imported.error().code)) return fail(imported.error());
  if (!imported) {
    report.problems.push_back(imported.error().message);
    return {};
  }
  if (auto stored = journal.import_file(*imported); !stored) return fail(with_context(stored.error(), file.path));
  ++report.files_imported;
  report.rows += imported->verdicts.size() + imported->attempts.size();
  return {};
}

/// Imports what is new. `follow` also forgets the rows of files that the source no longer has.
Result<ImportReport> import_source(Journal& journal, DatasetSource& source, bool follow) {
  ImportReport report;
  ASSIGN_OR_RETURN(const auto known, journal.imported_files(source.name()));
  ASSIGN_OR_RETURN(const auto files, source.list());
  std::vector<std::string> paths;
  for (const SourceFile& file : files) {
    paths.push_back(file.path);
    if (std::ranges::find(known, std::pair(file.path, file.content_id)) != known.end()) {
      ++report.files_unchanged;
      continue;
    }
    RETURN_IF_ERROR(import_one(journal, source, file, report));
  }
  if (follow) {
    ASSIGN_OR_RETURN(report.files_forgotten, journal.forget_imports(source.name(), paths));
  }
  return report;
}

ExitStatus print_report(const Session& session, const DatasetSource& source, const ImportReport& report) {
  for (const std::string& problem : report.problems) fmt::print(stderr, "willitrun: not imported: {}\n", problem);
  if (!session.quiet)
    fmt::print("{}: {} rows of {} files imported; {} files unchanged, {} no longer there\n", source.name(), report.rows,
               report.files_imported, report.files_unchanged, report.files_forgotten);
  return report.problems.empty() ? ExitStatus::Ok : ExitStatus::NoAnswer;
}

Result<ExitStatus> run(const Session& session, const std::string& what, bool follow) {
  ASSIGN_OR_RETURN(const Home home, session.home());
  ASSIGN_OR_RETURN(Journal journal, Journal::open(home.journal()));
  std::unique_ptr<Hub> hub;
  std::unique_ptr<DatasetSource> source;
  std::error_code error;
  if (!follow && (std::filesystem::exists(what, error) || !is_hub_id(what))) {
    ASSIGN_OR_RETURN(source, local_source(what));
  } else {
    ASSIGN_OR_RETURN(hub, open_hub(session));
    ASSIGN_OR_RETURN(source, hub_source(*hub, what));
  }
  ASSIGN_OR_RETURN(const ImportReport report, import_source(journal, *source, hub != nullptr));
  return print_report(session, *source, report);
}

}  // namespace

void add_data_import(CLI::App& data, Command& chosen) {
  const auto what = std::make_shared<std::string>();
  CLI::App* command = data.add_subcommand("import", "Read results from Parquet files or from a dataset on the Hub");
  command->footer("Example:\n  willitrun data import results/trn2");
  command->add_option("PATH|DATASET", *what, "A file, a folder with all its sub-folders, or the id of a dataset")
      ->required();
  command->callback(
      [&chosen, what] { chosen = [what](const Session& session) { return run(session, *what, false); }; });
}

void add_data_pull(CLI::App& data, Command& chosen) {
  const auto dataset = std::make_shared<std::string>(kPublicDataset);
  CLI::App* command = data.add_subcommand("pull", "Bring the public results up to date");
  command->footer("Example:\n  willitrun data pull && willitrun lookup qwen3");
  command->add_option("DATASET", *dataset, "Id of the dataset on the Hub")->capture_default_str();
  command->callback(
      [&chosen, dataset] { chosen = [dataset](const Session& session) { return run(session, *dataset, true); }; });
}

}  // namespace willitrun
