#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "cli/command.h"
#include "lookup/home_snapshot.h"

namespace willitrun {

/// A home opened for looking things up.
struct OpenedHome {
  Home home;
  Journal journal;
  std::shared_ptr<const LookupSnapshot> snapshot;
};

/// Opens the home and loads its snapshot.
Result<OpenedHome> open_for_lookup(const Session& session);

/// Adds --target, --neuronx-cc and --transformers.
void add_stack_options(CLI::App& command, StackFilter& filter);

/// What to tell a person whose home has nothing to show on the target: that it is empty, or which targets have results.
/// Empty when the target has results.
std::string missing_results_note(const OpenedHome& opened, const StackFilter& filter);

}  // namespace willitrun
