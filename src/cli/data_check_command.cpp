#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <boost/json.hpp>

#include "cli/data_command.h"
#include "os/clock.h"
#include "store/dataset.h"

namespace willitrun {
namespace {

namespace json = boost::json;

struct Options {
  std::string path;
  bool as_json = false;
};

void print_json(const std::vector<DatasetProblem>& problems) {
  json::array list;
  for (const DatasetProblem& problem : problems) {
    json::value row = problem.row ? json::value(*problem.row) : json::value(nullptr);
    list.push_back({{"file", problem.file.string()}, {"row", std::move(row)}, {"message", problem.message}});
  }
  fmt::print("{}\n", json::serialize(json::object{{"schema", 1}, {"problems", std::move(list)}}));
}

void print_lines(const std::vector<DatasetProblem>& problems) {
  for (const DatasetProblem& problem : problems) {
    const std::string row = problem.row ? fmt::format(" row {}", *problem.row) : "";
    fmt::print("{}{}: {}\n", problem.file.string(), row, problem.message);
  }
  fmt::print("{}\n", problems.empty() ? "nothing is wrong" : fmt::format("{} problems", problems.size()));
}

Result<ExitStatus> run(const Options& options) {
  ASSIGN_OR_RETURN(const auto problems, check_dataset(options.path, system_clock().now()));
  options.as_json ? print_json(problems) : print_lines(problems);
  return problems.empty() ? ExitStatus::Ok : ExitStatus::No;
}

}  // namespace

void add_data_check(CLI::App& data, Command& chosen) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = data.add_subcommand(
      "check", "Say what is wrong with Parquet files: drifting schemas, duplicates, impossible values, damage");
  command->footer("Example:\n  willitrun data check results/");
  command->add_option("PATH", options->path, "A file, or a folder with all its sub-folders")->required();
  command->add_flag("--json", options->as_json, "Print JSON");
  command->callback([&chosen, options] { chosen = [options](const Session&) { return run(*options); }; });
}

}  // namespace willitrun
