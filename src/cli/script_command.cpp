#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/text.h"
#include "cli/command.h"
#include "cli/data_files.h"
#include "cli/open_hub.h"
#include "lab/found_model.h"
#include "lab/interpreter.h"
#include "lab/preparation.h"
#include "script/script.h"

namespace willitrun {
namespace {

struct Options {
  std::string model;
  std::string target = "trn2";
  std::string transformers;
  int cores = 0;  ///< 0: as few as hold the model.
  std::string prompt;
  bool remote_code = false;
};

/// Leaves the target the one core count that the user asked for.
Status restrict_cores(Target& target, int cores) {
  if (cores == 0) return {};
  if (std::ranges::find(target.core_counts, cores) == target.core_counts.end()) {
    std::vector<std::string> counts;
    for (const int count : target.core_counts) counts.push_back(fmt::to_string(count));
    return fail(Code::InvalidArgument,
                fmt::format("--cores {}: '{}' places models on {} cores", cores, target.name, join(counts, ", ")));
  }
  target.core_counts = {cores};
  return {};
}

ExitStatus explain(const Plan& plan) {
  fmt::print(stderr, "no script for {} on {} with Transformers {}: {}\n", plan.model.id, plan.target, plan.transformers,
             plan.reason ? plan.reason->message : to_text(plan.status));
  return plan.status == PlanStatus::Unavailable ? ExitStatus::NoAnswer : ExitStatus::No;
}

Result<ExitStatus> run(const Session& session, const Options& options) {
  ASSIGN_OR_RETURN(Target target, load_target(options.target));
  RETURN_IF_ERROR(restrict_cores(target, options.cores));
  const std::string version =
      options.transformers.empty() ? target.interpreters.front().transformers : options.transformers;
  ASSIGN_OR_RETURN(const PlanTable table, load_plan_table(version));
  ASSIGN_OR_RETURN(const ModelRef ref, parse_model_ref(options.model));
  ASSIGN_OR_RETURN(const auto models, open_model_hub(session));
  ASSIGN_OR_RETURN(FoundModel model, find_model(models->hub(), ref));
  const Plan plan = plan_files(*model.files, table, target, {model.id, model.revision});
  if (plan.status != PlanStatus::Fits) return explain(plan);
  // The header names what is installed, as far as this host is one of the target's.
  const auto interpreter = probe_interpreter(target, version);
  ASSIGN_OR_RETURN(const std::string script, render_run_py({.plan = plan,
                                                            .target = target,
                                                            .stack = interpreter ? interpreter->stack : Stack{},
                                                            .prompt = options.prompt,
                                                            .remote_code = options.remote_code}));
  fmt::print("{}", script);
  return ExitStatus::Ok;
}

}  // namespace

void add_script_command(CLI::App& app, Command& chosen) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("script", "Print the run.py that a test of a model would run");
  command->footer("Example:\n  willitrun script Qwen/Qwen3-0.6B > run.py && python3 run.py");
  command->add_option("MODEL", options->model, "Hub id (owner/name, with @revision) or local folder")->required();
  command->add_option("--target", options->target, "Kind of device")->capture_default_str();
  command->add_option("--transformers", options->transformers, "Transformers version (default: the target's)");
  command->add_option("--cores", options->cores, "Place it on this many cores (default: as few as hold it)")
      ->check(CLI::PositiveNumber);
  command->add_option("--prompt", options->prompt, "What to ask the model (default: the tests' own question)");
  command->add_flag("--allow-remote-code", options->remote_code, "Let code from the model's repository run");
  command->callback(
      [&chosen, options] { chosen = [options](const Session& session) { return run(session, *options); }; });
}

}  // namespace willitrun
