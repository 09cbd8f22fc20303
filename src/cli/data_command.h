#pragma once

#include "cli/command.h"

namespace willitrun {

// The parts of `data`, each in a file of its own.
void add_data_export(CLI::App& data, Command& chosen);
void add_data_check(CLI::App& data, Command& chosen);
void add_data_import(CLI::App& data, Command& chosen);
void add_data_pull(CLI::App& data, Command& chosen);
void add_data_publish(CLI::App& data, Command& chosen);

}  // namespace willitrun
