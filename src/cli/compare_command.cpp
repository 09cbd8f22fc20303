#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/command.h"
#include "cli/home_options.h"
#include "cli/result_text.h"
#include "cli/table.h"
#include "lookup/answers.h"
#include "lookup/outcomes.h"

namespace willitrun {
namespace {

struct Options {
  std::string dataset;
  std::string before;
  std::string after;
  std::string target = "trn2";
  std::size_t limit = 20;
  bool as_json = false;
};

/// Classes whose models are worth a look, in this order.
constexpr Change kListed[] = {Change::Regressed,     Change::Fixed,         Change::MovedStage, Change::Flaky,
                              Change::Indeterminate, Change::NotComparable, Change::Added,      Change::Removed};

std::string outcome_text(const Outcome& outcome) {
  const std::string_view grounds = outcome.verdict == "PASS" ? outcome.evidence : outcome.failure_class;
  return printable(fmt::format("{}{}{}", outcome.verdict, grounds.empty() ? "" : " ", grounds));
}

void print_counts(const Comparison& comparison) {
  Table table({{"CLASS"}, {"MODELS", true}, {"DOWNLOADS", true}});
  for (const auto& [change, name] : enum_names(std::type_identity<Change>{}))
    table.add({std::string(name), fmt::format("{}", comparison.num_models(change)),
               count_text(comparison.downloads(change))});
  fmt::print("{}", table.to_text());
  fmt::print("indeterminate: {:.1f} % of {} compared models\n", 100 * comparison.indeterminate_share(),
             comparison.num_compared());
}

void print_models(const Comparison& comparison, std::size_t limit) {
  for (const Change change : kListed) {
    if (comparison.num_models(change) == 0) continue;
    fmt::print("\n{} ({})\n", coloured(to_text(change), Colour::Bold), comparison.num_models(change));
    std::size_t shown = 0;
    for (const ChangedModel& model : comparison.changed()) {
      if (model.change != change || shown == limit) continue;
      fmt::print("  {}  {} -> {}\n", printable(model.before.model), outcome_text(model.before),
                 outcome_text(model.after));
      ++shown;
    }
    if (comparison.num_models(change) > shown)
      fmt::print("  ... {} more (--limit)\n", comparison.num_models(change) - shown);
  }
}

Result<ExitStatus> run(const Options& options, const Session& session) {
  ASSIGN_OR_RETURN(const OpenedHome opened, open_for_lookup(session, options.dataset));
  const LookupSnapshot& snapshot = *opened.snapshot;
  const auto target = snapshot.find_target(options.target);
  if (!target) return fail(Code::NotFound, missing_results_note(opened, {.target = options.target}));
  ASSIGN_OR_RETURN(const StackNumber before, find_stack(snapshot, *target, options.before));
  ASSIGN_OR_RETURN(const StackNumber after, find_stack(snapshot, *target, options.after));
  const Comparison comparison = compare_on(snapshot, *target, before, after);
  const bool is_worse = comparison.num_models(Change::Regressed) > 0;
  if (options.as_json) {
    fmt::print("{}\n",
               comparison_answer(comparison, snapshot.stacks()[before], snapshot.stacks()[after], options.target));
  } else {
    fmt::print("{}: {} -> {}\n\n", options.target, short_name(snapshot.stacks()[before]),
               short_name(snapshot.stacks()[after]));
    print_counts(comparison);
    print_models(comparison, options.limit);
  }
  return is_worse ? ExitStatus::No : ExitStatus::Ok;
}

}  // namespace

void add_compare_command(CLI::App& app, Command& chosen) {
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("compare", "Put two stacks side by side; exit status 1 when a model regressed");
  command->footer("Examples:\n  willitrun compare 2.27/5.24 2.28/5.24\n  willitrun compare 2.27 2.28 --json");
  command->add_option("STACK_A", options->before, "neuronx-cc/Transformers, or the first parts of them")->required();
  command->add_option("STACK_B", options->after, "The same")->required();
  command->add_option("--target", options->target, "Kind of device")->capture_default_str();
  command->add_option("--limit", options->limit, "Models to list per class")->capture_default_str();
  add_dataset_option(*command, options->dataset);
  command->add_flag("--json", options->as_json, "Print JSON");
  command->callback(
      [&chosen, options] { chosen = [options](const Session& session) { return run(*options, session); }; });
}

}  // namespace willitrun
