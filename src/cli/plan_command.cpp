#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/command.h"
#include "cli/data_files.h"
#include "cli/open_hub.h"
#include "cli/plan_json.h"
#include "cli/plan_text.h"
#include "domain/model_ref.h"
#include "lab/found_model.h"
#include "lab/local_model_files.h"
#include "lab/preparation.h"

namespace willitrun {
namespace {

struct Options {
  std::vector<std::string> models;
  std::string target = "trn2";
  std::string transformers;
  int prompt_tokens = 0;
  int new_tokens = 32;
  bool as_json = false;
};

/// Plans models one after the other; the Hub is opened when the first Hub id comes.
class Run {
 public:
  Run(const Session& session, const PlanTable& table, const Target& target, const Options& options)
      : session_(session), table_(table), target_(target), options_(options) {}

  Result<Plan> plan(const std::string& name) {
    ASSIGN_OR_RETURN(const ModelRef ref, parse_model_ref(name));
    PlanRequest request{ref.id, ref.revision, options_.prompt_tokens, options_.new_tokens};
    if (ref.kind == ModelRef::Kind::Folder) {
      LocalModelFiles files(ref.id);
      return plan_files(files, table_, target_, request);
    }
    if (!models_) {
      ASSIGN_OR_RETURN(models_, open_model_hub(session_));
    }
    const auto found = find_model(models_->hub(), ref);
    if (!found && found.error().code == Code::Cancelled) return fail(found.error());
    if (!found) return plan_of_missing(found.error(), table_, target_, request);
    request.revision = found->revision;
    return plan_files(*found->files, table_, target_, request);
  }

 private:
  const Session& session_;
  const PlanTable& table_;
  const Target& target_;
  const Options& options_;
  std::unique_ptr<ModelHub> models_;
};

ExitStatus worse(ExitStatus a, ExitStatus b) { return static_cast<int>(a) > static_cast<int>(b) ? a : b; }

ExitStatus status_of(const Plan& plan) {
  if (plan.status == PlanStatus::Fits) return ExitStatus::Ok;
  return plan.status == PlanStatus::Unavailable ? ExitStatus::NoAnswer : ExitStatus::No;
}

bool is_on_the_hub(const std::string& name) {
  const auto ref = parse_model_ref(name);
  return ref && ref->kind != ModelRef::Kind::Folder;
}

Result<ExitStatus> run(const Session& session, const Options& options) {
  std::jthread loading;
  if (std::ranges::any_of(options.models, is_on_the_hub)) loading = start_hub_early();
  ASSIGN_OR_RETURN(const Target target, load_target(options.target));
  const std::string version =
      !options.transformers.empty() ? options.transformers : target.interpreters.front().transformers;
  ASSIGN_OR_RETURN(const PlanTable table, load_plan_table(version));
  ExitStatus status = ExitStatus::Ok;
  Run planning(session, table, target, options);
  for (const std::string& model : options.models) {
    ASSIGN_OR_RETURN(const Plan plan, planning.plan(model));
    if (options.as_json)
      fmt::print("{}\n", plan_to_json(plan));
    else
      fmt::print("{}{}", &model == &options.models.front() ? "" : "\n", plan_text(plan));
    status = worse(status, status_of(plan));
  }
  return status;
}

}  // namespace

void add_plan_command(CLI::App& app, Command& chosen) {
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("plan", "Say whether a model fits, on how many cores, and if not, why; without any device");
  command->footer("Examples:\n  willitrun plan ./my-checkpoint\n  willitrun plan Qwen/Qwen3-0.6B --json");
  command->add_option("MODEL", options->models, "Hub ids (owner/name, with @revision) or local folders")->required();
  command->add_option("--target", options->target, "Kind of device")->capture_default_str();
  command->add_option("--transformers", options->transformers,
                      "Transformers version to plan for (default: the target's)");
  command
      ->add_option("--prompt-tokens", options->prompt_tokens, "Tokens of the prompt (default: 64; with an image 1024)")
      ->check(CLI::PositiveNumber);
  command->add_option("--new-tokens", options->new_tokens, "Tokens to generate")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_flag("--json", options->as_json, "Print JSON, one line per model");
  command->callback(
      [&chosen, options] { chosen = [options](const Session& session) { return run(session, *options); }; });
}

}  // namespace willitrun
