#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "lab/campaign.h"

namespace CLI {
class App;
}

namespace willitrun {

/// Options that `test` and `lab run` share.
struct LabOptions {
  std::string target = "trn2";
  std::string transformers;  ///< Empty: the target's default.
  double timeout_s = 1800;
  double silence_s = 900;
  double memory_gib = 0;       ///< 0: most of this host's memory.
  double disk_budget_gib = 0;  ///< Of the mirror of models; 0: no limit.
  bool no_sandbox = false;
  bool no_reference = false;
  bool force = false;
  bool install_missing = false;
  bool as_json = false;
};

/// Adds those options to a command.
void add_lab_options(CLI::App& command, LabOptions& options);

/// Tests the models and prints their rows as they come: JSON lines, or a line per model for people, with a summary at
/// the end and, on a terminal, what is being done meanwhile on standard error. Returns the exit status of the worst
/// row.
Result<ExitStatus> run_lab(const Session& session, const LabOptions& options, std::vector<CampaignModel> models);

}  // namespace willitrun
