#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <boost/json.hpp>

#include "cli/command.h"
#include "cli/history_text.h"
#include "cli/home_options.h"
#include "cli/result_text.h"
#include "lookup/answers.h"
#include "lookup/model_page.h"

namespace willitrun {
namespace {

struct Options {
  std::string dataset;
  std::string model;
  std::string target = "trn2";
  std::string along;
  bool as_json = false;
};

/// What the command works on: a model that has results on the target.
struct Chosen {
  std::string id;
  std::vector<StackLine> lines;
};

/// Lines along the axis that was asked for, or along the one that tells more; those without a result are left out.
Result<Chosen> choose(const Options& options, const OpenedHome& opened) {
  const LookupSnapshot& snapshot = *opened.snapshot;
  ASSIGN_OR_RETURN(const ModelNumber model, find_model(snapshot, options.model));
  const std::string id = printable(snapshot.model_id(model));
  const auto target = snapshot.find_target(options.target);
  if (!target || snapshot.cells_of(*target, model).size() == 0)
    return fail(Code::NotFound, fmt::format("'{}' has no result on target '{}'", id, options.target));
  if (options.along.empty()) {
    ASSIGN_OR_RETURN(ModelPage page, make_model_page(snapshot, model, {.target = options.target}));
    return Chosen{id, std::move(page.histories.front().lines)};
  }
  const auto axis = from_text<Axis>(options.along);
  if (!axis)
    return fail(Code::InvalidArgument, fmt::format("no axis '{}': use neuronx-cc or transformers", options.along));
  return Chosen{id, stack_lines(snapshot, *target, model, *axis)};
}

Result<ExitStatus> run_history(const Options& options, const Session& session) {
  ASSIGN_OR_RETURN(OpenedHome opened, open_for_lookup(session, options.dataset));
  ASSIGN_OR_RETURN(const Chosen chosen, choose(options, opened));
  if (options.as_json) {
    const TargetHistory history{options.target, chosen.lines};
    fmt::print("{}\n", history_answer(chosen.id, std::span(&history, 1)));
    return ExitStatus::Ok;
  }
  fmt::print("{} on {}\n", chosen.id, options.target);
  for (const StackLine& line : chosen.lines) fmt::print("{}", history_text(line));
  return ExitStatus::Ok;
}

boost::json::value json_of(const StackLine& line, const Bisection& bisection) {
  const auto or_null = [](const std::optional<std::string>& text) {
    return text ? boost::json::value(*text) : boost::json::value(nullptr);
  };
  return boost::json::object{{"axis", to_text(line.axis)},
                             {"fixed", line.fixed},
                             {"last_good", or_null(bisection.last_good)},
                             {"first_bad", or_null(bisection.first_bad)},
                             {"between", boost::json::value_from(bisection.between)},
                             {"next", or_null(bisection.next)}};
}

std::string bisection_text(const StackLine& line, const Bisection& bisection) {
  if (!bisection.first_bad) {
    const History history = history_of(line.outcomes);
    if (history.works_since)
      return fmt::format("{}: nothing broke: works since {}\n", line.fixed, *history.works_since);
    return fmt::format("{}: nothing to bisect: it never passed\n", line.fixed);
  }
  if (!bisection.next)
    return fmt::format("{}: first bad {}, right after {}\n", line.fixed, *bisection.first_bad, *bisection.last_good);
  return fmt::format("{}: good {}, bad {}; {} untested between; test next: {}\n", line.fixed, *bisection.last_good,
                     *bisection.first_bad, bisection.between.size(), *bisection.next);
}

Result<ExitStatus> run_bisect(const Options& options, const Session& session) {
  ASSIGN_OR_RETURN(OpenedHome opened, open_for_lookup(session, options.dataset));
  ASSIGN_OR_RETURN(const Chosen chosen, choose(options, opened));
  boost::json::array lines;
  for (const StackLine& line : chosen.lines) {
    const Bisection bisection = bisect(line.outcomes);
    if (options.as_json)
      lines.push_back(json_of(line, bisection));
    else
      fmt::print("{}", bisection_text(line, bisection));
  }
  if (options.as_json)
    fmt::print("{}\n",
               boost::json::serialize(boost::json::object{
                   {"schema", 1}, {"model_id", chosen.id}, {"target", options.target}, {"lines", std::move(lines)}}));
  return ExitStatus::Ok;
}

std::shared_ptr<Options> add_options(CLI::App& command) {
  const auto options = std::make_shared<Options>();
  command.add_option("MODEL", options->model, "Hub id")->required();
  command.add_option("--target", options->target, "Kind of device")->capture_default_str();
  command.add_option("--along", options->along, "neuronx-cc or transformers (default: the one with more results)");
  add_dataset_option(command, options->dataset);
  command.add_flag("--json", options->as_json, "Print JSON");
  return options;
}

}  // namespace

void add_history_command(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand("history", "Show when a model began or ceased to work, from stack to stack");
  command->footer("Example:\n  willitrun history Qwen/Qwen3-0.6B --along neuronx-cc");
  const auto options = add_options(*command);
  command->callback([&chosen, options] { chosen = [options](const Session& s) { return run_history(*options, s); }; });
}

void add_bisect_command(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand("bisect", "Find the first bad version of a model, or what to test to find it");
  command->footer("Example:\n  willitrun bisect Qwen/Qwen3-0.6B");
  const auto options = add_options(*command);
  command->callback([&chosen, options] { chosen = [options](const Session& s) { return run_bisect(*options, s); }; });
}

}  // namespace willitrun
