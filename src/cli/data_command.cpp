#include "cli/data_command.h"

#include <CLI/CLI.hpp>

namespace willitrun {

void add_data_command(CLI::App& app, Command& chosen) {
  CLI::App* data = app.add_subcommand("data", "Read, write, check and publish the Parquet dataset");
  data->footer("Examples:\n  willitrun data pull\n  willitrun data export results/\n  willitrun data check results/");
  data->require_subcommand(1);
  data->fallthrough();
  add_data_export(*data, chosen);
  add_data_check(*data, chosen);
  add_data_import(*data, chosen);
  add_data_pull(*data, chosen);
  add_data_publish(*data, chosen);
}

}  // namespace willitrun
