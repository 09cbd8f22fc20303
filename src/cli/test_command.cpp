#include <CLI/CLI.hpp>

#include "cli/campaign_models.h"
#include "cli/lab_session.h"

namespace willitrun {
namespace {

struct Options {
  std::vector<std::string> models;
  bool remote_code = false;
  LabOptions lab;
};

Result<ExitStatus> run(const Session& session, const Options& options) {
  std::vector<CampaignModel> models;
  for (const std::string& name : options.models) {
    ASSIGN_OR_RETURN(const ModelRef ref, parse_model_ref(name));
    models.push_back({.request = {.model = ref, .remote_code = options.remote_code}});
  }
  RETURN_IF_ERROR(add_exclusions(models));
  return run_lab(session, options.lab, std::move(models));
}

}  // namespace

void add_test_command(CLI::App& app, Command& chosen) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "test", "Run models in a sandbox, check what they say, record the verdicts; goes on after each failure");
  command->footer("Examples:\n  willitrun test Qwen/Qwen3-0.6B\n  willitrun test ./my-checkpoint --target cpu --json");
  command->add_option("MODEL", options->models, "Hub ids (owner/name, with @revision) or local folders")->required();
  command->add_flag("--allow-remote-code", options->remote_code,
                    "Let code from these models' repositories run, inside the sandbox");
  add_lab_options(*command, options->lab);
  command->callback(
      [&chosen, options] { chosen = [options](const Session& session) { return run(session, *options); }; });
}

}  // namespace willitrun
