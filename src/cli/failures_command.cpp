#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/text.h"
#include "cli/command.h"
#include "cli/home_options.h"
#include "cli/result_text.h"
#include "cli/table.h"
#include "lookup/answers.h"
#include "lookup/outcomes.h"
#include "lookup/view.h"

namespace willitrun {
namespace {

struct Options {
  std::string dataset;
  std::string signature;
  StackFilter stack;
  std::size_t limit = 50;
  bool as_json = false;
};

std::string day_of(const FailureCluster& cluster) {
  return cluster.first_seen ? to_text(*cluster.first_seen).substr(0, 10) : "";
}

void print_clusters(const std::vector<FailureCluster>& clusters, std::size_t limit) {
  Table table({{"SIGNATURE"}, {"STAGE"}, {"MODELS", true}, {"DOWNLOADS", true}, {"STACKS", true}, {"FIRST SEEN"}});
  for (std::size_t i = 0; i < clusters.size() && i < limit; ++i)
    table.add({printable(clusters[i].signature), clusters[i].stage, fmt::format("{}", clusters[i].models.size()),
               count_text(clusters[i].downloads), fmt::format("{}", clusters[i].stacks.size()), day_of(clusters[i])});
  fmt::print("{}", table.to_text());
  if (clusters.size() > limit) fmt::print("... {} more (--limit)\n", clusters.size() - limit);
}

void print_cluster(const FailureCluster& cluster, std::size_t limit) {
  fmt::print("{}\n  stage       {}\n  class       {}\n", coloured(printable(cluster.signature), Colour::Bold),
             cluster.stage, cluster.failure_class);
  fmt::print("  downloads   {}\n  first seen  {}\n  stacks      {}\n", count_text(cluster.downloads), day_of(cluster),
             join(cluster.stacks, ", "));
  fmt::print("  models      {}\n", cluster.models.size());
  for (std::size_t i = 0; i < cluster.models.size() && i < limit; ++i)
    fmt::print("    {}  {}\n", printable(cluster.models[i].id), count_text(cluster.models[i].downloads));
  if (cluster.models.size() > limit) fmt::print("    ... {} more (--limit)\n", cluster.models.size() - limit);
}

/// Keeps the cluster of that name, or those whose name holds it.
void keep_named(std::vector<FailureCluster>& clusters, const std::string& signature) {
  const bool is_whole = std::ranges::find(clusters, signature, &FailureCluster::signature) != clusters.end();
  std::erase_if(clusters, [&](const FailureCluster& cluster) {
    return is_whole ? cluster.signature != signature
                    : to_lower(cluster.signature).find(to_lower(signature)) == std::string::npos;
  });
}

Result<ExitStatus> run(const Options& options, const Session& session) {
  ASSIGN_OR_RETURN(const OpenedHome opened, open_for_lookup(session, options.dataset));
  ASSIGN_OR_RETURN(const ShownResults shown, shown_results(*opened.snapshot, options.stack));
  auto clusters = failure_clusters(*opened.snapshot, shown);
  if (!options.signature.empty()) keep_named(clusters, options.signature);
  if (const std::string note = missing_results_note(opened, options.stack); !note.empty() && !session.quiet)
    fmt::print(stderr, "willitrun: {}\n", note);
  if (options.as_json) {
    const std::string stack = shown.stack ? short_name(opened.snapshot->stacks()[*shown.stack]) : "";
    fmt::print("{}\n", failures_answer(clusters, options.stack.target, stack));
    return ExitStatus::Ok;
  }
  if (clusters.empty() && !options.signature.empty())
    return fail(Code::NotFound, fmt::format("no failure on the shown stack has the signature '{}'", options.signature));
  if (clusters.empty())
    fmt::print("no failures\n");
  else if (options.signature.empty())
    print_clusters(clusters, options.limit);
  else
    for (const FailureCluster& cluster : clusters) print_cluster(cluster, options.limit);
  return ExitStatus::Ok;
}

}  // namespace

void add_failures_command(CLI::App& app, Command& chosen) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("failures", "Show which failures stop the most downloads, or one of them");
  command->footer("Examples:\n  willitrun failures\n  willitrun failures NCC_EVRF009");
  command->add_option("SIGNATURE", options->signature, "One cluster: its signature, or a part of it");
  add_stack_options(*command, options->stack);
  command->add_option("--limit", options->limit, "Rows to print")->capture_default_str();
  add_dataset_option(*command, options->dataset);
  command->add_flag("--json", options->as_json, "Print JSON");
  command->callback(
      [&chosen, options] { chosen = [options](const Session& session) { return run(*options, session); }; });
}

}  // namespace willitrun
