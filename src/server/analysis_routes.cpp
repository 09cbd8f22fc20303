#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "analysis/coverage.h"
#include "base/text.h"
#include "lookup/address_key.h"
#include "lookup/answers.h"
#include "lookup/outcomes.h"
#include "server/routes.h"
#include "server/stack_results.h"

namespace willitrun {
namespace {

constexpr std::size_t kMaxStackText = 200;
constexpr std::size_t kMaxFailureRows = 200;

std::string shown_stack_name(const LookupSnapshot& snapshot, const ShownResults& shown) {
  return shown.stack ? short_name(snapshot.stacks()[*shown.stack]) : "";
}

Result<ShownResults> shown_of(const Call& call) {
  ASSIGN_OR_RETURN(const StackFilter filter, call.stack_filter());
  return shown_results(call.snapshot(), filter);
}

Result<std::string> target_of(const Call& call) {
  ASSIGN_OR_RETURN(StackFilter filter, call.stack_filter());
  return std::move(filter.target);
}

Result<StackNumber> stack_parameter(const Call& call, std::uint32_t target, std::string_view name) {
  const std::string_view text = call.parameter(name);
  if (text.empty() || text.size() > kMaxStackText)
    return fail(Code::InvalidArgument, fmt::format("'{}' names no stack: give a name of /api/v1/stacks", name));
  return find_stack(call.snapshot(), target, text);
}

/// What the shown results say about the models of a task; of all models without a task.
Coverage coverage_on(const LookupSnapshot& snapshot, const ShownResults& shown, std::optional<std::string_view> task) {
  const OutcomeReader reader(snapshot);
  std::vector<Outcome> outcomes;
  for (ModelNumber model = 0; model < snapshot.num_models(); ++model)
    if (!task || snapshot.models().task.text(model) == *task)
      outcomes.push_back(reader.read(model, shown.cells[model]));
  return coverage_of(outcomes);
}

std::string tasks_json(const LookupSnapshot& snapshot, const ShownResults& shown) {
  std::vector<std::string> rows = {
      fmt::format(R"({{"task":null,"coverage":{}}})", coverage_json(coverage_on(snapshot, shown, std::nullopt)))};
  std::set<std::string_view> tasks;
  for (ModelNumber model = 0; model < snapshot.num_models(); ++model) tasks.insert(snapshot.models().task.text(model));
  tasks.erase("");
  for (const std::string_view task : tasks)
    rows.push_back(fmt::format(R"({{"task":{},"coverage":{}}})", text_json(task),
                               coverage_json(coverage_on(snapshot, shown, task))));
  return join(rows, ",");
}

std::string over_stacks_json(const LookupSnapshot& snapshot, const ShownResults& shown) {
  std::vector<std::string> rows;
  if (!shown.target) return "";
  for (const StackResults& results : stacks_with_results(snapshot)) {
    if (results.target != snapshot.targets()[*shown.target]) continue;
    const Coverage coverage = coverage_on(snapshot, results_on(snapshot, *shown.target, results.stack), std::nullopt);
    rows.push_back(fmt::format(R"({{"stack":{},"newest":{},"coverage":{}}})",
                               stack_json(snapshot.stacks()[results.stack]),
                               results.newest ? text_json(to_text(*results.newest)) : "null", coverage_json(coverage)));
  }
  std::ranges::reverse(rows);
  return join(rows, ",");
}

/// The failing results of a cluster, with what the store alone keeps, such as the error's text.
Result<std::vector<Row>> rows_of(const Call& call, const FailureCluster& cluster, const ShownResults& shown) {
  std::vector<ViewRow> cells;
  for (const AffectedModel& model : cluster.models) {
    const auto number = call.snapshot().find_model(model.id);
    if (number && shown.cells[*number] != kNone && cells.size() < kMaxFailureRows)
      cells.push_back({*number, shown.cells[*number]});
  }
  ASSIGN_OR_RETURN(auto rows, call.site.rows->full_rows(call.snapshot(), cells));
  for (Row& row : rows) row.run_py.reset();
  return rows;
}

}  // namespace

Result<Response> answer_compare(const Call& call) {
  ASSIGN_OR_RETURN(const std::string target_name, target_of(call));
  const auto target = call.snapshot().find_target(target_name);
  if (!target) return fail(Code::NotFound, fmt::format("there are no results on target '{}'", target_name));
  ASSIGN_OR_RETURN(const StackNumber before, stack_parameter(call, *target, "a"));
  ASSIGN_OR_RETURN(const StackNumber after, stack_parameter(call, *target, "b"));
  const auto stacks = call.snapshot().stacks();
  return json_response(comparison_answer(compare_on(call.snapshot(), *target, before, after), stacks[before],
                                         stacks[after], target_name));
}

Result<Response> answer_failures(const Call& call) {
  ASSIGN_OR_RETURN(const ShownResults shown, shown_of(call));
  ASSIGN_OR_RETURN(const std::string target, target_of(call));
  return json_response(
      failures_answer(failure_clusters(call.snapshot(), shown), target, shown_stack_name(call.snapshot(), shown)));
}

Result<Response> answer_failure(const Call& call) {
  ASSIGN_OR_RETURN(const ShownResults shown, shown_of(call));
  ASSIGN_OR_RETURN(const std::string target, target_of(call));
  const auto clusters = failure_clusters(call.snapshot(), shown);
  const auto found = std::ranges::find_if(clusters, [&](const FailureCluster& cluster) {
    return cluster.signature == call.parts[0] || address_key(cluster.signature) == call.parts[0];
  });
  if (found == clusters.end())
    return fail(Code::NotFound, fmt::format("no failure on the shown stack has the signature '{}'", call.parts[0]));
  ASSIGN_OR_RETURN(const auto rows, rows_of(call, *found, shown));
  return json_response(fmt::format(R"({{"schema":1,"target":{},"stack":{},"cluster":{},"rows":{}}})", text_json(target),
                                   text_json(shown_stack_name(call.snapshot(), shown)), cluster_json(*found),
                                   rows_json(rows)));
}

Result<Response> answer_coverage(const Call& call) {
  ASSIGN_OR_RETURN(const ShownResults shown, shown_of(call));
  ASSIGN_OR_RETURN(const std::string target, target_of(call));
  return json_response(fmt::format(R"({{"schema":1,"target":{},"stack":{},"tasks":[{}],"over_stacks":[{}]}})",
                                   text_json(target), text_json(shown_stack_name(call.snapshot(), shown)),
                                   tasks_json(call.snapshot(), shown), over_stacks_json(call.snapshot(), shown)));
}

}  // namespace willitrun
