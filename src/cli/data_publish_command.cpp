#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>

#include "base/text.h"
#include "cli/data_command.h"
#include "cli/data_files.h"
#include "cli/private_words.h"
#include "domain/model_ref.h"
#include "domain/row_stack.h"
#include "os/file.h"
#include "os/interrupt.h"
#include "os/process.h"
#include "store/dataset.h"
#include "store/dataset_card.h"
#include "store/journal.h"

namespace willitrun {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string folder;
  std::string push_to;
  bool with_imported = false;
};

/// Variables that `hf` needs to find its token, the Hub and the network.
constexpr const char* kVariables[] = {"HOME",        "HF_TOKEN",      "HF_TOKEN_PATH", "HF_HOME",     "HF_ENDPOINT",
                                      "HTTPS_PROXY", "HTTP_PROXY",    "NO_PROXY",      "https_proxy", "http_proxy",
                                      "no_proxy",    "SSL_CERT_FILE", "PATH",          "LANG"};

std::vector<TargetShare> shares_of(const Dataset& dataset) {
  std::map<std::string, TargetShare> by_target;
  for (const Row& row : dataset.verdicts) ++by_target[target_of(row)].num_verdicts;
  for (const Row& row : dataset.attempts) ++by_target[target_of(row)].num_attempts;
  std::vector<TargetShare> shares;
  for (auto& [target, share] : by_target) {
    share.target = target;
    shares.push_back(share);
  }
  return shares;
}

/// Finds the `hf` command in PATH, else in the project's own environment.
Result<fs::path> find_hf() {
  const std::string path = environment_variable("PATH");
  std::vector<fs::path> folders;
  for (const auto folder : split(path, ':')) folders.emplace_back(folder);
  folders.push_back(data_folder() / ".venv" / "bin");
  for (const fs::path& folder : folders) {
    std::error_code error;
    if (fs::is_regular_file(folder / "hf", error)) return folder / "hf";
  }
  return fail(Code::NotFound, "the command 'hf' is missing: pip install huggingface_hub");
}

/// Runs a program to its end and passes on what it prints.
Status run_to_end(const ProcessSpec& spec) {
  ASSIGN_OR_RETURN(ChildProcess process, ChildProcess::start(spec));
  constexpr double kPatienceS = 0.2;
  const std::atomic<bool>& stop = stop_on_signals();
  for (;;) {
    ASSIGN_OR_RETURN(const auto event, process.wait(kPatienceS));
    if (event.kind == ChildProcess::Event::Kind::End) break;
    if (event.kind == ChildProcess::Event::Kind::Output) fmt::print(stderr, "{}", event.bytes);
    if (stop) return fail(Code::Cancelled, "interrupted");
  }
  if (process.end()->succeeded()) return {};
  return fail(Code::Unavailable, fmt::format("'{}' failed: see above", fmt::join(spec.argv, " ")));
}

/// Uploads the folder as it is; Parquet files that it no longer has go from the dataset too.
Status push(const fs::path& folder, const std::string& dataset) {
  ASSIGN_OR_RETURN(const fs::path hf, find_hf());
  ProcessSpec spec;
  spec.argv = {hf.string(),   "upload",           dataset,          folder.string(),   ".",
               "--repo-type", "dataset",          "--exclude",      ".willitrun.lock", "--delete",
               "*.parquet",   "--commit-message", "Publish results"};
  for (const char* name : kVariables)
    if (const auto value = environment_variable(name); !value.empty())
      spec.environment.push_back(fmt::format("{}={}", name, value));
  return run_to_end(spec);
}

Result<ExitStatus> run(const Session& session, const Options& options) {
  if (!options.push_to.empty() && !is_hub_id(options.push_to))
    return fail(Code::InvalidArgument, fmt::format("'{}' is no id of a dataset: use owner/name", options.push_to));
  ASSIGN_OR_RETURN(const Home home, session.home());
  ASSIGN_OR_RETURN(Journal journal, Journal::open(home.journal()));
  const RowFilter filter = {
      .model_ids = {}, .target = "", .with_scripts = true, .with_imported = options.with_imported};
  Dataset dataset;
  ASSIGN_OR_RETURN(dataset.verdicts, journal.verdict_rows(filter));
  ASSIGN_OR_RETURN(dataset.attempts, journal.attempt_rows(filter));
  dataset = publishable(std::move(dataset), private_words_of_machine(home));
  const fs::path folder = options.folder.empty() ? home.root / "published" : fs::path(options.folder);
  const std::string card = dataset_card(shares_of(dataset));
  ASSIGN_OR_RETURN(const ExportReport report, export_dataset(folder, std::move(dataset)));
  RETURN_IF_ERROR(write_file_atomically(folder / "README.md", card));
  if (!session.quiet) fmt::print("{}: {} rows and a dataset card\n", folder.string(), report.rows);
  if (options.push_to.empty()) {
    if (!session.quiet) fmt::print("Next: willitrun data publish {} --push OWNER/NAME\n", options.folder);
    return ExitStatus::Ok;
  }
  RETURN_IF_ERROR(push(folder, options.push_to));
  return ExitStatus::Ok;
}

}  // namespace

void add_data_publish(CLI::App& data, Command& chosen) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = data.add_subcommand(
      "publish",
      "Write what may be published, with a dataset card; push it to the Hub with the hf command if asked to");
  command->footer("Example:\n  willitrun data publish public/ --push my-org/model-support");
  command->add_option("DIR", options->folder, "Folder to write into (default: published/ in the home)");
  command->add_option("--push", options->push_to, "Dataset on the Hub to upload the folder to")
      ->type_name("OWNER/NAME");
  command->add_flag("--with-imported", options->with_imported, "Also publish results that were imported from others");
  command->callback(
      [&chosen, options] { chosen = [options](const Session& session) { return run(session, *options); }; });
}

}  // namespace willitrun
