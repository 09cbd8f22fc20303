#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "base/text.h"
#include "cli/command.h"
#include "cli/history_text.h"
#include "cli/home_options.h"
#include "cli/output_text.h"
#include "cli/result_text.h"
#include "cli/table.h"
#include "domain/row_stack.h"
#include "lookup/answers.h"
#include "lookup/model_page.h"

namespace willitrun {
namespace {

struct Options {
  std::string dataset;
  std::string model;
  StackFilter stack;
  bool run_py = false;
  bool packages = false;
  bool as_json = false;
};

std::string seconds_text(const std::optional<double>& seconds) { return seconds ? human_seconds(*seconds) : ""; }

void print_facts(const Row& facts) {
  fmt::print("{}\n", coloured(printable(*facts.model_id), Colour::Bold));
  std::vector<std::string> parts;
  if (facts.task) parts.push_back(printable(*facts.task));
  if (facts.downloads) parts.push_back(fmt::format("{} downloads in 30 days", count_text(*facts.downloads)));
  if (facts.downloads_rank) parts.push_back(fmt::format("place {} by downloads", *facts.downloads_rank));
  if (facts.trending_rank) parts.push_back(fmt::format("place {} by trend", *facts.trending_rank));
  if (!parts.empty()) fmt::print("{}\n", join(parts, ", "));
  if (facts.exclusion) fmt::print("excluded: {}\n", printable(*facts.exclusion));
}

void print_results(const std::vector<Row>& rows) {
  Table table({{"TARGET"},
               {"STACK"},
               {"RESULT"},
               {"CORES", true},
               {"MODE"},
               {"WALL", true},
               {"COMPILE", true},
               {"FIRST TOKEN", true},
               {"TOKENS/S", true},
               {"PEAK/CORE", true},
               {"TESTED"}});
  for (const Row& row : rows) {
    const auto cores = row.cores ? row.cores : row.tp;
    table.add({target_of(row), short_name(stack_of(row)), coloured_result(row), cores ? fmt::format("{}", *cores) : "",
               row.mode.value_or(""), wall_text(row), seconds_text(row.compile_s), seconds_text(row.first_token_s),
               row.tokens_per_s ? fmt::format("{:.1f}", *row.tokens_per_s) : "", peak_text(row), day_text(row)});
  }
  fmt::print("\n{}", table.to_text());
}

std::string plan_text(const Row& row) {
  if (!row.cores) return "";
  std::string text =
      fmt::format("{} on {} core{}", row.mode.value_or("single"), *row.cores, *row.cores == 1 ? "" : "s");
  if (row.planned_bytes_per_core)
    text += fmt::format(", {} planned per core", human_bytes(static_cast<std::uint64_t>(*row.planned_bytes_per_core)));
  if (row.capacity_bytes_per_core)
    text += fmt::format(", which has {}", human_bytes(static_cast<std::uint64_t>(*row.capacity_bytes_per_core)));
  return text;
}

std::string stack_text(const Stack& stack) {
  std::vector<std::string> parts;
  for (const auto& [name, version] :
       {std::pair("neuronx-cc", &stack.neuronx_cc), std::pair("transformers", &stack.transformers),
        std::pair("torch-neuronx", &stack.torch_neuronx), std::pair("torch", &stack.torch),
        std::pair("nki", &stack.nki), std::pair("accelerate", &stack.accelerate), std::pair("python", &stack.python),
        std::pair("driver", &stack.neuron_driver), std::pair("NEURON_CC_FLAGS", &stack.neuron_cc_flags)})
    if (!version->empty()) parts.push_back(fmt::format("{} {}", name, *version));
  return join(parts, ", ");
}

void print_field(std::string_view name, std::string_view value) {
  if (!value.empty()) fmt::print("  {:<9}  {}\n", name, value);
}

void print_result(const Row& row, const Options& options) {
  const std::string emulated = row.emulated.value_or(false) ? " (emulated: not a Trainium result)" : "";
  fmt::print("\n{}{}\n",
             coloured(fmt::format("Result on {}, {}", target_of(row), short_name(stack_of(row))), Colour::Bold),
             emulated);
  print_field("result", result_text(row));
  print_field("error", printable(row.error.value_or("").substr(0, 400)));
  print_field("signature", printable(row.signature.value_or("")));
  print_field("notes", printable(row.notes.value_or("")));
  print_field("plan", plan_text(row));
  print_field("stack", printable(stack_text(stack_of(row))));
  print_field("revision", printable(row.model_revision.value_or("")));
  if (row.package_lock && !options.packages)
    print_field("packages",
                fmt::format("{} pinned; --packages lists them", split(trim(*row.package_lock), '\n').size()));
  print_field("limits", printable(row.limits.value_or("")));
  if (target_of(row) == "trn2") print_field("cache", cache_command(stack_of(row)));
  if (row.run_py) print_field("script", "--run-py prints the one that ran");
  fmt::print("{}", output_text(row));
  if (row.package_lock && options.packages) fmt::print("\nPackages\n{}\n", *row.package_lock);
}

void print_histories(const ModelPage& page) {
  for (const TargetHistory& history : page.histories) {
    fmt::print("\n{}\n", coloured(fmt::format("History on {}", history.target), Colour::Bold));
    for (const StackLine& line : history.lines) fmt::print("{}", history_text(line));
  }
}

Result<ExitStatus> print_script(const std::vector<Row>& rows, const ModelPage& page) {
  if (rows.empty() || !rows[page.shown].run_py)
    return fail(Code::NotFound,
                fmt::format("no script of '{}' is kept: nothing of it has run yet", *page.facts.model_id));
  fmt::print("{}", *rows[page.shown].run_py);
  return ExitStatus::Ok;
}

Result<ExitStatus> run(const Options& options, const Session& session) {
  ASSIGN_OR_RETURN(OpenedHome opened, open_for_lookup(session, options.dataset));
  const auto model = find_model(*opened.snapshot, options.model);
  if (!model) {
    const std::string note = missing_results_note(opened, options.stack);
    if (!note.empty() && !session.quiet) fmt::print(stderr, "willitrun: {}\n", note);
    return fail(model.error());
  }
  ASSIGN_OR_RETURN(const ModelPage page, make_model_page(*opened.snapshot, *model, options.stack));
  ASSIGN_OR_RETURN(const auto rows, full_rows(opened, page.cells, true));
  if (options.run_py) return print_script(rows, page);
  if (options.as_json) {
    fmt::print("{{{}}}\n", model_members(page, rows));
    return ExitStatus::Ok;
  }
  print_facts(page.facts);
  if (rows.empty()) {
    fmt::print("\n{}: no result yet\n  willitrun plan {}    does it fit?\n  willitrun test {}    does it run?\n",
               *page.facts.verdict, *page.facts.model_id, *page.facts.model_id);
    return ExitStatus::Ok;
  }
  print_results(rows);
  print_result(rows[page.shown], options);
  print_histories(page);
  return ExitStatus::Ok;
}

}  // namespace

void add_show_command(CLI::App& app, Command& chosen) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("show", "Show everything that is known about one model");
  command->footer("Examples:\n  willitrun show Qwen/Qwen3-0.6B\n  willitrun show Qwen/Qwen3-0.6B --run-py > run.py");
  command->add_option("MODEL", options->model, "Hub id")->required();
  add_stack_options(*command, options->stack);
  command->add_flag("--run-py", options->run_py, "Print the script that ran, and nothing else");
  command->add_flag("--packages", options->packages, "List every Python package of the run");
  add_dataset_option(*command, options->dataset);
  command->add_flag("--json", options->as_json, "Print JSON");
  command->callback(
      [&chosen, options] { chosen = [options](const Session& session) { return run(*options, session); }; });
}

}  // namespace willitrun
