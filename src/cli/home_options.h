#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/command.h"
#include "lookup/home_snapshot.h"

namespace willitrun {

/// What lookups are answered from: a home, or the Parquet files of a dataset alone.
struct OpenedHome {
  Home home;
  std::optional<Journal> journal;  ///< Absent when a dataset was named.
  std::filesystem::path dataset;
  std::shared_ptr<const LookupSnapshot> snapshot;
};

/// Opens the home and its snapshot; with a `dataset` (a folder or file) that instead, and nothing of the home.
Result<OpenedHome> open_for_lookup(const Session& session, const std::string& dataset = "");

/// Returns rows of a view with every column (lookup/home_snapshot.h).
Result<std::vector<Row>> full_rows(OpenedHome& opened, std::span<const ViewRow> rows, bool with_scripts);

/// Adds --dataset.
void add_dataset_option(CLI::App& command, std::string& dataset);

/// Adds --target, --neuronx-cc and --transformers.
void add_stack_options(CLI::App& command, StackFilter& filter);

/// What to tell a person whose home has nothing to show on the target: that it is empty, or which targets have results.
/// Empty when the target has results.
std::string missing_results_note(const OpenedHome& opened, const StackFilter& filter);

}  // namespace willitrun
