#include "cli/command.h"

namespace willitrun {

void add_bisect_command(CLI::App& app, Command& chosen);
void add_compare_command(CLI::App& app, Command& chosen);
void add_data_command(CLI::App& app, Command& chosen);
void add_doctor_command(CLI::App& app, Command& chosen);
void add_failures_command(CLI::App& app, Command& chosen);
void add_history_command(CLI::App& app, Command& chosen);
void add_lab_command(CLI::App& app, Command& chosen);
void add_lookup_command(CLI::App& app, Command& chosen);
void add_plan_command(CLI::App& app, Command& chosen);
void add_rank_command(CLI::App& app, Command& chosen);
void add_script_command(CLI::App& app, Command& chosen);
void add_select_command(CLI::App& app, Command& chosen);
void add_serve_command(CLI::App& app, Command& chosen);
void add_show_command(CLI::App& app, Command& chosen);
void add_site_command(CLI::App& app, Command& chosen);
void add_stacks_command(CLI::App& app, Command& chosen);
void add_targets_command(CLI::App& app, Command& chosen);
void add_test_command(CLI::App& app, Command& chosen);

const std::vector<AddCommand>& all_commands() {
  // One per line, so that two additions do not meet.
  // clang-format off
  static const std::vector<AddCommand> commands = {
      add_lookup_command,
      add_show_command,
      add_plan_command,
      add_script_command,
      add_test_command,
      add_lab_command,
      add_compare_command,
      add_history_command,
      add_bisect_command,
      add_failures_command,
      add_rank_command,
      add_select_command,
      add_data_command,
      add_serve_command,
      add_site_command,
      add_targets_command,
      add_stacks_command,
      add_doctor_command,
  };
  // clang-format on
  return commands;
}

}  // namespace willitrun
