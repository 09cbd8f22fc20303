#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "base/text.h"
#include "cli/command.h"
#include "cli/home_options.h"
#include "cli/result_text.h"
#include "cli/table.h"
#include "lookup/answers.h"

namespace willitrun {
namespace {

struct Options {
  std::string dataset;
  ViewRequest request;
  std::vector<std::string> words;
  std::string view;
  std::string where;
  bool as_json = false;
};

/// Without --view: the selection when nothing is searched and there is one, else all models by downloads.
Result<ViewKind> view_of(const Options& options, const LookupSnapshot& snapshot) {
  if (!options.view.empty()) {
    const auto view = from_text<ViewKind>(options.view);
    if (!view)
      return fail(Code::InvalidArgument,
                  fmt::format("there is no view '{}': use selected, trending or downloads", options.view));
    return *view;
  }
  return default_view(snapshot, !options.words.empty() || !options.where.empty());
}

std::string heading_of(const View& view, const ViewRequest& request) {
  std::string heading = request.stack.target;
  if (view.stack) {
    if (!view.stack->neuronx_cc.empty()) heading += fmt::format(", neuronx-cc {}", view.stack->neuronx_cc);
    heading += fmt::format(", Transformers {}",
                           view.stack->transformers.empty() ? view.stack->library_version : view.stack->transformers);
  }
  return heading;
}

void print_table(const std::vector<Row>& rows) {
  Table table(
      {{"MODEL"}, {"RESULT"}, {"CORES", true}, {"WALL", true}, {"PEAK/CORE", true}, {"TESTED"}, {"DOWNLOADS", true}});
  for (const Row& row : rows) {
    const auto cores = row.cores ? row.cores : row.tp;
    table.add({printable(row.model_id.value_or("")), coloured_result(row), cores ? fmt::format("{}", *cores) : "",
               wall_text(row), peak_text(row), day_text(row), row.downloads ? count_text(*row.downloads) : ""});
  }
  fmt::print("{}", table.to_text());
}

void print_summary(const View& view, std::size_t num_rows) {
  fmt::print("\n{} of {} models", num_rows, view.total);
  if (view.relaxed) fmt::print(" (no name matches as typed; these match with letters and digits apart)");
  if (view.coverage.downloads > 0)
    fmt::print("; models covering {:.1f} % of this view's downloads pass", 100 * view.coverage.share_of("PASS"));
  fmt::print("\n");
  if (view.next) fmt::print("next page: --cursor {}\n", *view.next);
}

Result<ExitStatus> run(Options options, const Session& session) {
  options.request.text = join(options.words, " ");
  ASSIGN_OR_RETURN(options.request.where, parse_query(options.where));
  ASSIGN_OR_RETURN(OpenedHome opened, open_for_lookup(session, options.dataset));
  ASSIGN_OR_RETURN(options.request.view, view_of(options, *opened.snapshot));
  ASSIGN_OR_RETURN(const View view, make_view(*opened.snapshot, options.request));
  const std::string note = missing_results_note(opened, options.request.stack);
  if (!note.empty() && !session.quiet) fmt::print(stderr, "willitrun: {}\n", note);
  if (options.as_json) {
    ASSIGN_OR_RETURN(const auto rows, full_rows(opened, view.rows, false));
    fmt::print("{}\n", list_answer(view, options.request, rows));
    return ExitStatus::Ok;
  }
  if (view.rows.empty()) {
    if (note.empty() || !options.words.empty()) fmt::print(stderr, "willitrun: no model matches\n");
    return ExitStatus::Ok;
  }
  std::vector<Row> rows;
  for (const ViewRow& row : view.rows) rows.push_back(row_of(*opened.snapshot, row));
  if (!session.quiet) fmt::print("{}\n", coloured(heading_of(view, options.request), Colour::Bold));
  print_table(rows);
  if (!session.quiet) print_summary(view, rows.size());
  return ExitStatus::Ok;
}

}  // namespace

void add_lookup_command(CLI::App& app, Command& chosen) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("lookup", "Find models by a part of their name and see what runs");
  command->footer(
      "Examples:\n"
      "  willitrun lookup qwen3 0.6b\n"
      "  willitrun lookup --view trending --task text-generation\n"
      "  willitrun lookup --where 'org:Qwen cores<=4 is:pass sort:-tokens_per_s'");
  command->add_option("TEXT", options->words, "Parts of the name; case does not count");
  command->add_option("--view", options->view, "selected, trending or downloads");
  command->add_option("--task", options->request.task, "The Hub's pipeline tag: text-generation, image-text-to-text");
  add_stack_options(*command, options->request.stack);
  command->add_option("--where", options->where, "A query (docs/query.md)")->type_name("QUERY");
  command->add_option("--limit", options->request.limit, "Rows of a page")
      ->capture_default_str()
      ->check(CLI::Range(1, 100'000));
  command->add_option("--cursor", options->request.cursor, "Where the page begins: `next` of the one before");
  add_dataset_option(*command, options->dataset);
  command->add_flag("--json", options->as_json, "Print JSON");
  command->callback(
      [&chosen, options] { chosen = [options](const Session& session) { return run(*options, session); }; });
}

}  // namespace willitrun
