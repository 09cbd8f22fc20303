#pragma once

#include <string>
#include <vector>

#include "analysis/coverage.h"
#include "domain/row.h"
#include "domain/stack.h"
#include "lookup/view.h"

namespace willitrun {

/// Writes a page of a view as the list answer that command line and HTTP share (docs/cli.md). `rows` are the view's
/// rows in full.
std::string list_answer(const View& view, const ViewRequest& request, const std::vector<Row>& rows);

}  // namespace willitrun
