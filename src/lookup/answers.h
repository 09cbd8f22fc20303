#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/compare.h"
#include "analysis/coverage.h"
#include "analysis/failures.h"
#include "domain/row.h"
#include "domain/stack.h"
#include "lookup/model_page.h"
#include "lookup/view.h"

/// The JSON answers that command line and HTTP share (docs/cli.md, src/server/openapi.json). Functions named *_answer
/// return a whole document, those named *_json a value to be put into one.
namespace willitrun {

/// The members of a stack, without the braces, so that a caller can add its own.
std::string stack_members(const Stack& stack);
std::string stack_json(const Stack& stack);
std::string coverage_json(const Coverage& coverage);
std::string rows_json(const std::vector<Row>& rows);
std::string text_json(std::string_view text);

/// A page of a view. `rows` are the view's rows, as much of each as the caller wants to tell.
std::string list_answer(const View& view, const ViewRequest& request, const std::vector<Row>& rows);

/// The members of everything about a model, without the braces, so that a caller can add its own. `rows` are the page's
/// cells in full.
std::string model_members(const ModelPage& page, const std::vector<Row>& rows);

/// A model's histories.
std::string history_answer(std::string_view model_id, std::span<const TargetHistory> histories);

/// Two stacks of a target side by side.
std::string comparison_answer(const Comparison& comparison, const Stack& before, const Stack& after,
                              std::string_view target);

std::string cluster_json(const FailureCluster& cluster);

/// The failure clusters of a target on one stack; `stack` is its name, empty without one.
std::string failures_answer(std::span<const FailureCluster> clusters, std::string_view target, std::string_view stack);

}  // namespace willitrun
