#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <map>

#include "base/text.h"
#include "domain/row_json.h"
#include "domain/row_stack.h"
#include "lookup/answers.h"
#include "server/address.h"
#include "server/routes.h"
#include "server/stack_results.h"

namespace willitrun {
namespace {

namespace json = boost::json;

constexpr std::size_t kMaxRelated = 8;
constexpr std::uint64_t kMaxLimit = 500;
constexpr std::size_t kMaxWhereBytes = 4096;

/// The view that was asked for, else the one that a person wants to see first.
Result<ViewKind> view_of(const Call& call) {
  const bool is_asked = std::ranges::any_of(call.address.query, [](const auto& item) { return item.first == "view"; });
  if (!is_asked) return default_view(call.snapshot(), !call.parameter("q").empty() || !call.parameter("where").empty());
  const auto view = from_text<ViewKind>(call.parameter("view"));
  if (!view) return fail(Code::InvalidArgument, "there is no such view: use selected, trending or downloads");
  return *view;
}

Result<std::size_t> limit_of(const Call& call) {
  for (const auto& [name, value] : call.address.query) {
    if (name != "limit") continue;
    const auto limit = parse_uint(value);
    if (!limit || *limit < 1 || *limit > kMaxLimit)
      return fail(Code::InvalidArgument, fmt::format("'limit' is not a whole number from 1 to {}", kMaxLimit));
    return static_cast<std::size_t>(*limit);
  }
  return 50;
}

Result<ViewRequest> view_request(const Call& call) {
  ViewRequest request;
  ASSIGN_OR_RETURN(request.view, view_of(call));
  ASSIGN_OR_RETURN(request.limit, limit_of(call));
  ASSIGN_OR_RETURN(request.stack, call.stack_filter());
  if (call.parameter("where").size() > kMaxWhereBytes)
    return fail(Code::InvalidArgument, fmt::format("'where' is longer than {} bytes", kMaxWhereBytes));
  ASSIGN_OR_RETURN(request.where, parse_query(call.parameter("where")));
  request.task = call.parameter("task");
  request.text = call.parameter("q");
  for (const auto& [name, value] : call.address.query)
    if (name == "cursor" && value.empty()) return fail(Code::InvalidArgument, "'cursor' is empty");
  request.cursor = call.parameter("cursor");
  return request;
}

template <class T>
json::value number_or_null(T number) {
  return is_present(number) ? json::value(number) : json::value(nullptr);
}

json::value text_or_null(std::string_view text) { return text.empty() ? json::value(nullptr) : json::value(text); }

std::string facts_json(const ModelTable& models, ModelNumber model) {
  return json::serialize(json::object{{"task", text_or_null(models.task.text(model))},
                                      {"library", text_or_null(models.library.text(model))},
                                      {"license", text_or_null(models.license.text(model))},
                                      {"downloads", number_or_null(models.downloads[model])},
                                      {"downloads_rank", number_or_null(models.downloads_rank[model])},
                                      {"trending_rank", number_or_null(models.trending_rank[model])},
                                      {"selected_rank", number_or_null(models.selected_rank[model])},
                                      {"trending_score", number_or_null(models.trending_score[model])},
                                      {"likes", number_or_null(models.likes[model])},
                                      {"parameters", number_or_null(models.parameters[model])},
                                      {"gated", models.gated.test(model)},
                                      {"removed", models.removed.test(model)},
                                      {"local", models.local.test(model)},
                                      {"exclusion", text_or_null(models.exclusion.text(model))},
                                      {"exclusion_kind", text_or_null(models.exclusion_kind.text(model))}});
}

/// Other models of the same architecture on the shown result's stack and target.
std::vector<Row> related_rows(const LookupSnapshot& snapshot, CellNumber shown) {
  const CellColumn* column = snapshot.column("model_type");
  if (column == nullptr) return {};
  const Cell type = column->get(shown);
  const auto target = snapshot.find_target(target_of(snapshot.row_of(shown)));
  std::vector<Row> rows;
  if (std::holds_alternative<std::monostate>(type) || !target) return rows;
  for (const CellNumber cell : snapshot.cells_on(*target, snapshot.stack_of(shown)))
    if (cell != shown && rows.size() < kMaxRelated && column->get(cell) == type) rows.push_back(snapshot.row_of(cell));
  return rows;
}

std::string links_json(const std::string& id, const Row& facts, bool has_script) {
  const std::size_t slash = id.find('/');
  const bool has_owner = slash != std::string::npos && slash == id.rfind('/');  // a local folder's path has none
  const std::string path = !has_owner
                               ? "-/" + encode_segment(id)
                               : encode_segment(id.substr(0, slash)) + "/" + encode_segment(id.substr(slash + 1));
  const bool is_on_hub = !facts.local_model.value_or(false);
  return json::serialize(
      json::object{{"run_py", has_script ? json::value("api/v1/models/" + path + "/run.py") : json::value(nullptr)},
                   {"badge", "badge/" + path + ".svg"},
                   {"feed", "feed/model/" + path + ".atom"},
                   {"hub", is_on_hub ? json::value("https://huggingface.co/" + (has_owner ? path : encode_segment(id)))
                                     : json::value(nullptr)}});
}

/// A model's page with the rows of its results in full.
struct FullPage {
  ModelPage page;
  std::vector<Row> rows;
};

Result<FullPage> full_page(const Call& call) {
  ASSIGN_OR_RETURN(const ModelNumber model, find_model(call.snapshot(), call.model_id()));
  ASSIGN_OR_RETURN(const StackFilter filter, call.stack_filter());
  FullPage full;
  ASSIGN_OR_RETURN(full.page, make_model_page(call.snapshot(), model, filter));
  ASSIGN_OR_RETURN(full.rows, call.site.rows->full_rows(call.snapshot(), full.page.cells));
  return full;
}

}  // namespace

Result<Response> answer_models(const Call& call) {
  ASSIGN_OR_RETURN(const ViewRequest request, view_request(call));
  ASSIGN_OR_RETURN(const View view, make_view(call.snapshot(), request));
  std::vector<Row> rows;
  rows.reserve(view.rows.size());
  for (const ViewRow& row : view.rows) rows.push_back(row_of(call.snapshot(), row));
  return json_response(list_answer(view, request, rows));
}

Result<Response> answer_model(const Call& call) {
  ASSIGN_OR_RETURN(const FullPage full, full_page(call));
  std::vector<std::string> stacks;
  for (const Row& row : full.rows) stacks.push_back(stack_json(stack_of(row)));
  const bool has_rows = !full.rows.empty();
  const auto related =
      has_rows ? related_rows(call.snapshot(), *full.page.cells[full.page.shown].cell) : std::vector<Row>();
  return json_response(fmt::format(
      R"({{{},"facts":{},"stacks":[{}],"related":{},"links":{}}})", model_members(full.page, full.rows),
      facts_json(call.snapshot().models(), full.page.model), join(stacks, ","), rows_json(related),
      links_json(*full.page.facts.model_id, full.page.facts, has_rows && full.rows[full.page.shown].run_py)));
}

Result<Response> answer_run_py(const Call& call) {
  ASSIGN_OR_RETURN(const FullPage full, full_page(call));
  if (full.rows.empty() || !full.rows[full.page.shown].run_py)
    return fail(Code::NotFound, fmt::format("no script of '{}' is kept: nothing of it has run yet", call.model_id()));
  Response response = text_response("text/x-python; charset=utf-8", *full.rows[full.page.shown].run_py);
  response.set("Content-Disposition", "attachment; filename=\"run.py\"");
  return response;
}

Result<Response> answer_history(const Call& call) {
  ASSIGN_OR_RETURN(const ModelNumber model, find_model(call.snapshot(), call.model_id()));
  ASSIGN_OR_RETURN(const StackFilter filter, call.stack_filter());
  ASSIGN_OR_RETURN(ModelPage page, make_model_page(call.snapshot(), model, filter));
  if (!call.parameter("target").empty())
    std::erase_if(page.histories, [&](const TargetHistory& history) { return history.target != filter.target; });
  return json_response(history_answer(*page.facts.model_id, page.histories));
}

Result<Response> answer_stacks(const Call& call) {
  std::vector<std::string> rows;
  for (const StackResults& results : stacks_with_results(call.snapshot()))
    rows.push_back(fmt::format(R"({{"target":{},"emulated":{},"stack":{},"models":{},"passed":{},"newest":{}}})",
                               text_json(results.target), results.is_emulated,
                               stack_json(call.snapshot().stacks()[results.stack]), results.num_models,
                               results.num_passed, results.newest ? text_json(to_text(*results.newest)) : "null"));
  json::array targets;
  for (std::uint32_t target = 0; target < call.snapshot().targets().size(); ++target)
    targets.push_back(
        {{"name", call.snapshot().targets()[target]}, {"results", call.snapshot().cells_of_target(target).size()}});
  return json_response(fmt::format(R"({{"schema":1,"rows":[{}],"targets":{},"default_target":"{}"}})", join(rows, ","),
                                   json::serialize(targets), StackFilter().target));
}

Result<Response> answer_tasks(const Call& call) {
  struct Count {
    std::uint64_t models = 0, tested = 0;
  };
  const LookupSnapshot& snapshot = call.snapshot();
  const auto target = snapshot.find_target(StackFilter().target);
  std::map<std::string_view, Count> tasks;
  for (ModelNumber model = 0; model < snapshot.num_models(); ++model) {
    Count& count = tasks[snapshot.models().task.text(model)];
    ++count.models;
    if (target && snapshot.cells_of(*target, model).size() > 0) ++count.tested;
  }
  std::vector<std::pair<std::string_view, Count>> sorted(tasks.begin(), tasks.end());
  std::ranges::stable_sort(sorted, std::greater<>(), [](const auto& item) { return item.second.models; });
  json::array rows;
  for (const auto& [task, count] : sorted)
    if (!task.empty()) rows.push_back({{"task", task}, {"models", count.models}, {"tested", count.tested}});
  return json_response(json::serialize(json::object{{"schema", 1}, {"rows", std::move(rows)}}));
}

Result<Response> answer_exclusions(const Call& call) {
  struct Count {
    std::uint64_t models = 0;
    std::int64_t downloads = 0;
  };
  const ModelTable& models = call.snapshot().models();
  std::map<std::pair<std::string_view, std::string_view>, Count> reasons;
  json::array rows;
  for (ModelNumber model = 0; model < call.snapshot().num_models(); ++model) {
    const std::string_view reason = models.exclusion.text(model), kind = models.exclusion_kind.text(model);
    if (reason.empty()) continue;
    Count& count = reasons[{kind, reason}];
    ++count.models;
    if (is_present(models.downloads[model])) count.downloads += models.downloads[model];
    rows.push_back({{"model_id", call.snapshot().model_id(model)},
                    {"kind", kind},
                    {"reason", reason},
                    {"task", text_or_null(models.task.text(model))},
                    {"downloads", number_or_null(models.downloads[model])}});
  }
  json::array counts;
  for (const auto& [reason, count] : reasons)
    counts.push_back(
        {{"kind", reason.first}, {"reason", reason.second}, {"models", count.models}, {"downloads", count.downloads}});
  const std::size_t total = rows.size();
  return json_response(json::serialize(
      json::object{{"schema", 1}, {"rows", std::move(rows)}, {"total", total}, {"reasons", std::move(counts)}}));
}

}  // namespace willitrun
