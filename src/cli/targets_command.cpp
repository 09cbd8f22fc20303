#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <boost/json.hpp>

#include "base/text.h"
#include "cli/command.h"
#include "cli/data_files.h"
#include "cli/table.h"

namespace willitrun {
namespace {

namespace json = boost::json;

json::object to_json(const Target& target) {
  json::array interpreters;
  for (const Interpreter& interpreter : target.interpreters)
    interpreters.push_back({{"transformers", interpreter.transformers}, {"path", interpreter.path}});
  return {{"name", target.name},
          {"device", target.device},
          {"compile_backend", target.compile_backend},
          {"emulated", target.emulated},
          {"core_counts", json::value_from(target.core_counts)},
          {"core_memory_bytes", target.core_memory_bytes},
          {"reserve_bytes_per_core", target.reserve_bytes_per_core},
          {"interpreters", std::move(interpreters)}};
}

std::string interpreters_of(const Target& target) {
  std::vector<std::string> versions;
  for (const Interpreter& interpreter : target.interpreters)
    versions.push_back(interpreter.path.empty() ? interpreter.transformers + " (no interpreter)"
                                                : interpreter.transformers);
  return join(versions, ", ");
}

void print_table(const std::vector<Target>& targets) {
  Table table({{"TARGET"}, {"DEVICE"}, {"BACKEND"}, {"CORES"}, {"MEMORY/CORE", true}, {"TRANSFORMERS"}});
  for (const Target& target : targets)
    table.add({target.name, target.device + (target.emulated ? " (emulated)" : ""), target.compile_backend,
               fmt::format("{}", fmt::join(target.core_counts, " ")), human_bytes(target.core_memory_bytes),
               interpreters_of(target)});
  fmt::print("{}", table.to_text());
}

Result<ExitStatus> run(bool as_json) {
  ASSIGN_OR_RETURN(const auto names, target_names());
  std::vector<Target> targets;
  for (const std::string& name : names) {
    ASSIGN_OR_RETURN(targets.emplace_back(), load_target(name));
  }
  if (!as_json) {
    print_table(targets);
    return ExitStatus::Ok;
  }
  json::array rows;
  for (const Target& target : targets) rows.push_back(to_json(target));
  fmt::print("{}\n", json::serialize(json::object{{"schema", 1}, {"rows", std::move(rows)}}));
  return ExitStatus::Ok;
}

}  // namespace

void add_targets_command(CLI::App& app, Command& chosen) {
  const auto as_json = std::make_shared<bool>(false);
  CLI::App* command =
      app.add_subcommand("targets", "List the kinds of device that models can be planned for and tested on");
  command->footer("Example:\n  willitrun targets");
  command->add_flag("--json", *as_json, "Print JSON");
  command->callback([&chosen, as_json] { chosen = [as_json](const Session&) { return run(*as_json); }; });
}

}  // namespace willitrun
