#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>

#include "base/text.h"
#include "cli/command.h"
#include "cli/data_files.h"
#include "cli/table.h"
#include "domain/row_stack.h"
#include "domain/version_order.h"
#include "lookup/answers.h"
#include "lookup/snapshot_builder.h"
#include "os/file.h"
#include "store/journal.h"

namespace willitrun {
namespace {

/// A stack that has results on a target.
struct StackResults {
  std::string target;
  Stack stack;
  int num_models = 0;
  int num_passed = 0;  ///< Models that are shown as PASS, be it by another system's word.
  std::optional<Time> newest;
};

std::vector<StackResults> results_of(const std::vector<Row>& rows) {
  std::map<std::pair<std::string, std::string>, StackResults> by_stack;
  for (const Row& row : rows) {
    Stack stack = stack_of(row);
    StackResults& results = by_stack[{target_of(row), canonical_text(stack)}];
    results.target = target_of(row);
    results.stack = std::move(stack);
    ++results.num_models;
    if (shown_verdict(row) == "PASS") ++results.num_passed;
    results.newest = std::max(results.newest, row.tested_at);
  }
  std::vector<StackResults> list;
  for (auto& [key, results] : by_stack) list.push_back(std::move(results));
  std::ranges::stable_sort(list, [](const StackResults& a, const StackResults& b) {
    return a.target != b.target ? a.target < b.target : compare_stacks(a.stack, b.stack) > 0;
  });
  return list;
}

/// Transformers versions whose sharding plans are known, oldest first.
Result<std::vector<std::string>> planned_versions() {
  constexpr std::string_view kPrefix = "transformers-", kEnding = ".json";
  std::vector<std::string> versions;
  const auto names = list_folder(data_folder() / "plans");
  if (!names && names.error().code == Code::NotFound) return versions;
  if (!names) return fail(names.error());
  for (const std::string& name : *names)
    if (name.starts_with(kPrefix) && name.ends_with(kEnding))
      versions.push_back(name.substr(kPrefix.size(), name.size() - kPrefix.size() - kEnding.size()));
  std::ranges::sort(versions, [](const auto& a, const auto& b) { return compare_versions(a, b) < 0; });
  return versions;
}

std::string to_json(const StackResults& results) {
  return fmt::format(R"({{{},"target":{},"models":{},"passed":{},"newest":{}}})", stack_members(results.stack),
                     text_json(results.target), results.num_models, results.num_passed,
                     results.newest ? text_json(to_text(*results.newest)) : "null");
}

void print_json(const std::vector<StackResults>& results, const std::vector<std::string>& planned) {
  std::vector<std::string> rows, versions;
  for (const StackResults& row : results) rows.push_back(to_json(row));
  for (const std::string& version : planned) versions.push_back(text_json(version));
  fmt::print("{{\"schema\":1,\"rows\":[{}],\"planned_transformers\":[{}]}}\n", join(rows, ","), join(versions, ","));
}

std::string or_dash(const std::string& version) { return version.empty() ? "-" : version; }

void print_table(const std::vector<StackResults>& results, const std::vector<std::string>& planned) {
  Table table(
      {{"TARGET"}, {"STACK"}, {"TORCH-NEURONX"}, {"TORCH"}, {"PYTHON"}, {"MODELS", true}, {"PASS", true}, {"NEWEST"}});
  for (const StackResults& row : results)
    table.add({row.target, short_name(row.stack), or_dash(row.stack.torch_neuronx), or_dash(row.stack.torch),
               or_dash(row.stack.python), fmt::format("{}", row.num_models), fmt::format("{}", row.num_passed),
               row.newest ? to_text(*row.newest).substr(0, 10) : "-"});
  if (results.empty()) {
    fmt::print("no results yet: `willitrun data pull` brings the public ones, `willitrun test` makes your own\n");
  } else {
    fmt::print("{}", table.to_text());
  }
  if (!planned.empty())
    fmt::print("Transformers versions that models can be planned for: {}\n", fmt::join(planned, ", "));
}

Result<ExitStatus> run(const Session& session, bool as_json) {
  ASSIGN_OR_RETURN(const Home home, session.home());
  ASSIGN_OR_RETURN(Journal journal, Journal::open(home.journal()));
  ASSIGN_OR_RETURN(const auto rows, journal.verdict_rows());
  ASSIGN_OR_RETURN(const auto planned, planned_versions());
  as_json ? print_json(results_of(rows), planned) : print_table(results_of(rows), planned);
  return ExitStatus::Ok;
}

}  // namespace

void add_stacks_command(CLI::App& app, Command& chosen) {
  const auto as_json = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand(
      "stacks", "List the stacks that have results, newest first, and the versions that can be planned for");
  command->footer("Example:\n  willitrun stacks");
  command->add_flag("--json", *as_json, "Print JSON");
  command->callback(
      [&chosen, as_json] { chosen = [as_json](const Session& session) { return run(session, *as_json); }; });
}

}  // namespace willitrun
