#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/json.hpp>
#include <filesystem>
#include <set>

#include "base/text.h"
#include "cli/command.h"
#include "cli/data_files.h"
#include "cli/table.h"
#include "lab/host_check.h"
#include "os/file.h"
#include "store/journal.h"

namespace willitrun {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

std::string driver_version() { return std::string(trim(read_file("/sys/module/neuron/version", 256).value_or(""))); }

int num_neuron_devices() {
  int count = 0;
  for (const std::string& name : list_folder("/dev").value_or(std::vector<std::string>()))
    count += name.starts_with("neuron");
  return count;
}

HostCheck check_lists(const Home& home) {
  HostCheck check{"ranked lists", "look up", CheckStatus::Ok, "", ""};
  auto journal = Journal::open(home.journal());
  const auto models = journal ? journal->ranked_models() : fail(journal.error());
  if (!models) {
    check.status = CheckStatus::Missing;
    check.finding = models.error().message;
  } else if (models->empty()) {
    check.status = CheckStatus::Weak;
    check.finding = "none: only tested models can be looked up";
    check.remedy = "willitrun rank import";
  } else {
    check.finding = fmt::format("{} models", models->size());
  }
  return check;
}

HostCheck check_plan_table(const std::string& version) {
  HostCheck check{"plan table", "plan for Transformers " + version, CheckStatus::Ok, "Transformers " + version, ""};
  if (const auto table = load_plan_table(version); !table) {
    check.status = CheckStatus::Missing;
    check.finding = table.error().message;
    check.remedy = "make build";
  }
  return check;
}

Status check_targets(std::vector<HostCheck>& checks) {
  ASSIGN_OR_RETURN(const auto names, target_names());
  std::set<std::string> versions;
  for (const std::string& name : names) {
    ASSIGN_OR_RETURN(const Target target, load_target(name));
    for (const Interpreter& interpreter : target.interpreters) {
      if (versions.insert(interpreter.transformers).second)
        checks.push_back(check_plan_table(interpreter.transformers));
      const auto facts = probe_interpreter(target, interpreter.transformers);
      for (HostCheck& check : check_interpreter(target, interpreter.transformers, facts))
        checks.push_back(std::move(check));
    }
    if (target.device != "neuron" || target.emulated) continue;
    for (HostCheck& check : check_neuron_device(target, num_neuron_devices(), driver_version()))
      checks.push_back(std::move(check));
  }
  return {};
}

Result<std::vector<HostCheck>> look_at_host(const Session& session) {
  ASSIGN_OR_RETURN(const Home home, session.home());
  std::error_code error;
  const fs::space_info space = fs::space(home.root, error);
  std::vector<HostCheck> checks = {check_lists(home), check_disk(home.root, error ? 0 : space.available)};
  for (HostCheck& check : check_sandbox(find_sandbox_tools())) checks.push_back(std::move(check));
  RETURN_IF_ERROR(check_targets(checks));
  return checks;
}

void print_json(const std::vector<HostCheck>& checks) {
  json::array rows;
  for (const HostCheck& check : checks)
    rows.push_back({{"what", check.what},
                    {"needed_for", check.needed_for},
                    {"status", to_text(check.status)},
                    {"finding", check.finding},
                    {"remedy", check.remedy.empty() ? json::value() : json::value(check.remedy)}});
  fmt::print("{}\n", json::serialize(json::object{{"schema", 1}, {"checks", std::move(rows)}}));
}

void print_for_people(const std::vector<HostCheck>& checks) {
  std::size_t width = 0;
  for (const HostCheck& check : checks) width = std::max(width, check.what.size());
  for (const HostCheck& check : checks) {
    const Colour colour = check.status == CheckStatus::Ok     ? Colour::Green
                          : check.status == CheckStatus::Weak ? Colour::Yellow
                                                              : Colour::Red;
    const std::string padding(8 - to_text(check.status).size(), ' ');
    fmt::print("{}{}{:<{}}  {}\n", coloured(to_text(check.status), colour), padding, check.what, width, check.finding);
    if (check.remedy.empty()) continue;
    fmt::print("        {:<{}}  needed to {}; do: {}\n", "", width, check.needed_for, check.remedy);
  }
}

/// Nothing missing: 0. The host can do less than everything: 1, so that a script can ask for a complete one.
Result<ExitStatus> run(const Session& session, bool as_json) {
  ASSIGN_OR_RETURN(const auto checks, look_at_host(session));
  as_json ? print_json(checks) : print_for_people(checks);
  for (const HostCheck& check : checks)
    if (check.status == CheckStatus::Missing) return ExitStatus::No;
  return ExitStatus::Ok;
}

}  // namespace

void add_doctor_command(CLI::App& app, Command& chosen) {
  const auto as_json = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand(
      "doctor", "Say what this host lacks to look up, plan and test, with the command that mends it");
  command->footer("Example:\n  willitrun doctor");
  command->add_flag("--json", *as_json, "Print JSON");
  command->callback(
      [&chosen, as_json] { chosen = [as_json](const Session& session) { return run(session, *as_json); }; });
}

}  // namespace willitrun
