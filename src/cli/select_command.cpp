#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/json.hpp>

#include "cli/command.h"
#include "cli/selection_files.h"
#include "cli/table.h"
#include "os/clock.h"
#include "selection/selection.h"
#include "store/journal.h"

namespace willitrun {
namespace {

namespace json = boost::json;

struct Options {
  std::string rule = "selected";
  std::string task;
  bool all = false;
  bool as_json = false;
};

template <class T>
json::value or_null(const std::optional<T>& value) {
  return value ? json::value(*value) : json::value(nullptr);
}

json::object to_json(const Choice& choice) {
  json::value exclusion = nullptr;
  if (choice.exclusion)
    exclusion = {
        {"kind", to_text(choice.exclusion->kind)},
        {"reason", choice.exclusion->reason},
        {"owner", choice.exclusion->owner},
        {"expires", choice.exclusion->expires ? json::value(to_text(*choice.exclusion->expires)) : json::value()}};
  const RankedModel& model = choice.model;
  return {{"model_id", model.id},
          {"task", model.task},
          {"selected", choice.is_selected},
          {"reason", choice.reason},
          {"exclusion", std::move(exclusion)},
          {"downloads", or_null(model.downloads)},
          {"downloads_rank", or_null(model.downloads_rank)},
          {"trending_rank", or_null(model.trending_rank)},
          {"parameters", or_null(model.parameters)},
          {"gated", model.gated}};
}

void print_json(const std::vector<Choice>& choices, const SelectionRule& rule) {
  json::array rows;
  for (const Choice& choice : choices) rows.push_back(to_json(choice));
  const std::size_t total = rows.size();
  fmt::print("{}\n", json::serialize(json::object{
                         {"schema", 1}, {"rule", rule.name}, {"rows", std::move(rows)}, {"total", total}}));
}

void print_table(const std::vector<Choice>& choices) {
  Table table({{"MODEL"}, {"TASK"}, {"SELECTED"}, {"WHY"}});
  for (const Choice& choice : choices)
    table.add({choice.model.id, choice.model.task.empty() ? "-" : choice.model.task,
               choice.is_selected ? coloured("yes", Colour::Green) : "no", choice.reason});
  fmt::print("{}", table.to_text());
}

/// Exclusions do not end unseen: somebody has to look at the model again.
void warn_of_expired(const std::vector<Exclusion>& exclusions, Time now) {
  for (const Exclusion& exclusion : exclusions)
    if (exclusion.expires && *exclusion.expires <= now)
      fmt::print(stderr, "note: the exclusion of '{}' expired on {}; its owner is {}\n", exclusion.model,
                 to_text(*exclusion.expires).substr(0, 10), exclusion.owner);
}

Result<ExitStatus> run(const Session& session, const Options& options) {
  ASSIGN_OR_RETURN(const SelectionFiles files, load_selection_files(options.rule));
  ASSIGN_OR_RETURN(const Home home, session.home());
  ASSIGN_OR_RETURN(Journal journal, Journal::open(home.journal()));
  ASSIGN_OR_RETURN(const auto models, journal.ranked_models(options.task));
  if (models.empty()) return fail(Code::NotFound, "there is no ranked list yet: run `willitrun rank import`");
  const Time now = system_clock().now();
  auto choices = choose_models(models, files.rule, files.exclusions, now);
  const auto num_selected = std::ranges::count_if(choices, &Choice::is_selected);
  const auto num_excluded =
      std::ranges::count_if(choices, [](const Choice& choice) { return choice.exclusion.has_value(); });
  const std::size_t num_models = choices.size();
  if (!options.all)
    std::erase_if(choices, [](const Choice& choice) { return !choice.is_selected && !choice.exclusion; });
  options.as_json ? print_json(choices, files.rule) : print_table(choices);
  if (session.quiet) return ExitStatus::Ok;
  fmt::print(stderr, "{} of {} ranked models are selected by '{}', {} are excluded{}\n", num_selected, num_models,
             files.rule.name, num_excluded, options.all ? "" : "; --all shows the others and why they are out");
  warn_of_expired(files.exclusions, now);
  return ExitStatus::Ok;
}

}  // namespace

void add_select_command(CLI::App& app, Command& chosen) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("select", "Print which ranked models the Selected rule chooses, and why");
  command->footer("Example:\n  willitrun select --task text-generation --all");
  command->add_option("--rule", options->rule, "A rule in selections/, or the path of one")->capture_default_str();
  command->add_option("--task", options->task, "Only one task's list");
  command->add_flag("--all", options->all, "Also models that are neither selected nor excluded");
  command->add_flag("--json", options->as_json, "Print JSON");
  command->callback(
      [&chosen, options] { chosen = [options](const Session& session) { return run(session, *options); }; });
}

}  // namespace willitrun
