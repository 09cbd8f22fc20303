#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/json.hpp>
#include <map>

#include "cli/campaign_models.h"
#include "cli/lab_session.h"
#include "cli/queued_tests.h"
#include "cli/table.h"

namespace willitrun {
namespace {

namespace json = boost::json;

struct CampaignArguments {
  std::string selection = "selected";
  std::vector<std::string> remote_code;
  LabOptions lab;
};

Result<std::vector<CampaignModel>> models_of(const Session& session, const CampaignArguments& options) {
  ASSIGN_OR_RETURN(const Home home, session.home());
  ASSIGN_OR_RETURN(Journal journal, Journal::open(home.journal()));
  const bool from_queue = options.selection == "queue";
  ASSIGN_OR_RETURN(auto models, from_queue ? queued_models(journal, options.lab.target, options.lab.transformers)
                                           : choose_campaign_models(options.selection, journal));
  for (CampaignModel& model : models)
    model.request.remote_code = std::ranges::count(options.remote_code, model.request.model.id) > 0;
  if (models.empty() && from_queue)
    return fail(Code::NotFound, fmt::format("nobody waits for a test on target '{}'", options.lab.target));
  if (models.empty())
    return fail(
        Code::NotFound,
        fmt::format("the selection '{}' names no model: `willitrun rank import` brings the lists", options.selection));
  return models;
}

Result<ExitStatus> run(const Session& session, const CampaignArguments& options) {
  ASSIGN_OR_RETURN(auto models, models_of(session, options));
  return run_lab(session, options.lab, std::move(models));
}

/// An attempt that is under way, and how far it is.
struct Running {
  Row row;
  std::string mark;
};

Result<std::vector<Running>> running_attempts(Journal& journal) {
  ASSIGN_OR_RETURN(const auto rows, journal.running_attempts());
  std::vector<Running> running;
  for (const Row& row : rows) {
    ASSIGN_OR_RETURN(const auto marks, journal.marks_of(row.attempt_id.value_or("")));
    running.push_back({row, marks.empty() ? "" : std::string(to_text(marks.back().mark))});
  }
  return running;
}

Result<ExitStatus> show_status(const Session& session, bool as_json) {
  ASSIGN_OR_RETURN(const Home home, session.home());
  ASSIGN_OR_RETURN(Journal journal, Journal::open(home.journal()));
  ASSIGN_OR_RETURN(const auto running, running_attempts(journal));
  ASSIGN_OR_RETURN(const auto verdicts, journal.verdict_rows());
  std::map<std::string, int> counts;
  for (const Row& verdict : verdicts) ++counts[verdict.verdict.value_or("")];
  if (as_json) {
    json::array rows;
    for (const Running& attempt : running)
      rows.push_back(
          {{"attempt_id", attempt.row.attempt_id.value_or("")},
           {"model_id", attempt.row.model_id.value_or("")},
           {"target", attempt.row.target.value_or("")},
           {"started_at", attempt.row.tested_at ? json::value(to_text(*attempt.row.tested_at)) : json::value()},
           {"mark", attempt.mark}});
    fmt::print("{}\n", json::serialize(json::object{
                           {"schema", 1}, {"running", std::move(rows)}, {"verdicts", json::value_from(counts)}}));
    return ExitStatus::Ok;
  }
  if (running.empty()) fmt::print("no attempt is under way\n");
  Table table({{"MODEL"}, {"TARGET"}, {"SINCE"}, {"DOING"}});
  for (const Running& attempt : running)
    table.add({attempt.row.model_id.value_or(""), attempt.row.target.value_or(""),
               attempt.row.tested_at ? to_text(*attempt.row.tested_at) : "", attempt.mark});
  if (!running.empty()) fmt::print("{}", table.to_text());
  for (const auto& [verdict, count] : counts) fmt::print("{} {}\n", count, verdict);
  return ExitStatus::Ok;
}

void add_run(CLI::App& lab, Command& chosen) {
  const auto options = std::make_shared<CampaignArguments>();
  CLI::App* command = lab.add_subcommand("run", "Test a list of models; started again, it goes on where it stopped");
  command->footer(
      "Examples:\n  willitrun lab run --selection top:100 --target trn2\n  willitrun lab run --selection "
      "list:Qwen/Qwen3-0.6B,google/gemma-3-1b-it");
  command
      ->add_option("--selection", options->selection, "list:A,B | top:N | trending:N | queue | a rule's name or file")
      ->capture_default_str();
  command->add_option("--allow-remote-code", options->remote_code, "Models whose own code may run, inside the sandbox")
      ->type_name("MODEL");
  add_lab_options(*command, options->lab);
  command->callback(
      [&chosen, options] { chosen = [options](const Session& session) { return run(session, *options); }; });
}

void add_status(CLI::App& lab, Command& chosen) {
  const auto as_json = std::make_shared<bool>(false);
  CLI::App* command = lab.add_subcommand("status", "Show what is being tested now, and how many verdicts there are");
  command->footer("Example:\n  willitrun lab status");
  command->add_flag("--json", *as_json, "Print JSON");
  command->callback(
      [&chosen, as_json] { chosen = [as_json](const Session& session) { return show_status(session, *as_json); }; });
}

}  // namespace

void add_lab_command(CLI::App& app, Command& chosen) {
  CLI::App* lab = app.add_subcommand("lab", "Test lists of models, and see how far that is");
  lab->footer("Example:\n  willitrun lab run --selection top:100");
  lab->require_subcommand(1);
  add_run(*lab, chosen);
  add_status(*lab, chosen);
}

}  // namespace willitrun
