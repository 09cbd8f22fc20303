#include <fmt/format.h>

#include <array>
#include <boost/json.hpp>

#include "base/text.h"
#include "domain/row_columns.h"
#include "domain/row_json.h"
#include "lookup/answers.h"
#include "lookup/query_fields.h"
#include "lookup/view.h"
#include "server/data_files.h"
#include "server/routes.h"

namespace willitrun {
namespace {

namespace json = boost::json;

template <class T>
json::value number_or_null(T number) {
  return is_present(number) ? json::value(number) : json::value(nullptr);
}

json::value text_or_null(std::string_view text) { return text.empty() ? json::value(nullptr) : json::value(text); }

std::string_view kind_text(FieldKind kind) {
  switch (kind) {
    case FieldKind::Word: return "word";
    case FieldKind::Text: return "text";
    case FieldKind::Version: return "version";
    case FieldKind::Number: return "number";
    case FieldKind::Moment: return "moment";
    case FieldKind::Flag: return "flag";
  }
  return "";
}

Response rows_response(json::array rows) {
  return json_response(json::serialize(json::object{{"schema", 1}, {"rows", std::move(rows)}}));
}

json::array comparisons_of(const WrittenSite& written) {
  json::array rows;
  for (const WrittenComparison& pair : written.comparisons)
    rows.push_back({{"target", pair.target}, {"before", pair.before}, {"after", pair.after}, {"file", pair.file}});
  return rows;
}

/// What a list shows of a result, beside what the index of models says.
constexpr auto kResultColumns = std::to_array<std::string_view>({"evidence",
                                                                 "stage",
                                                                 "class",
                                                                 "signature",
                                                                 "result",
                                                                 "notes",
                                                                 "cores",
                                                                 "tp",
                                                                 "mode",
                                                                 "wall_s",
                                                                 "load_s",
                                                                 "compile_s",
                                                                 "first_token_s",
                                                                 "tokens_per_s",
                                                                 "warm_s",
                                                                 "planned_bytes_per_core",
                                                                 "peak_bytes_per_core",
                                                                 "capacity_bytes_per_core",
                                                                 "hbm_peak_gb",
                                                                 "hbm_capacity_gb",
                                                                 "tested_at",
                                                                 "emulated",
                                                                 "model_type"});

}  // namespace

Result<Response> answer_site(const Call& call) {
  const Site& site = call.site;
  return json_response(
      json::serialize(json::object{{"schema", 1},
                                   {"mode", site.written ? "static" : "live"},
                                   {"version", site.version},
                                   {"default_target", StackFilter().target},
                                   {"models", call.snapshot().num_models()},
                                   {"results", call.snapshot().num_cells()},
                                   {"queue", site.queue != nullptr},
                                   {"comparisons", site.written ? comparisons_of(*site.written) : json::array()}}));
}

Result<Response> answer_columns(const Call&) {
  json::array rows;
  for (const RowColumn& column : row_columns())
    rows.push_back({{"name", column.name},
                    {"type", type_name(column.type)},
                    {"meaning", column.meaning},
                    {"origin", column.origin == ColumnOrigin::PublicDataset ? "public" : "ours"}});
  return rows_response(std::move(rows));
}

Result<Response> answer_fields(const Call&) {
  json::array rows;
  for (const QueryField& field : query_fields())
    rows.push_back(
        {{"name", field.name}, {"alias", field.alias}, {"kind", kind_text(field.kind)}, {"meaning", field.meaning}});
  return rows_response(std::move(rows));
}

Result<Response> answer_index(const Call& call) {
  const ModelTable& models = call.snapshot().models();
  json::array rows;
  rows.reserve(call.snapshot().num_models());
  for (ModelNumber model = 0; model < call.snapshot().num_models(); ++model)
    rows.push_back({call.snapshot().model_id(model), text_or_null(models.task.text(model)),
                    number_or_null(models.downloads[model]), number_or_null(models.downloads_rank[model]),
                    number_or_null(models.trending_rank[model]), number_or_null(models.trending_score[model]),
                    number_or_null(models.selected_rank[model]), number_or_null(models.parameters[model]),
                    models.gated.test(model), text_or_null(models.exclusion.text(model)),
                    text_or_null(models.exclusion_kind.text(model))});
  json::array columns = {"model_id",      "task",           "downloads",     "downloads_rank",
                         "trending_rank", "trending_score", "selected_rank", "parameters",
                         "gated",         "exclusion",      "exclusion_kind"};
  return json_response(
      json::serialize(json::object{{"schema", 1}, {"columns", std::move(columns)}, {"rows", std::move(rows)}}));
}

Result<Response> answer_results(const Call& call) {
  const LookupSnapshot& snapshot = call.snapshot();
  ASSIGN_OR_RETURN(const StackFilter filter, call.stack_filter());
  ASSIGN_OR_RETURN(const ShownResults shown, shown_results(snapshot, filter));
  json::array names = {"model", "verdict"};
  std::vector<const CellColumn*> columns;
  for (const std::string_view name : kResultColumns)
    if (const CellColumn* column = snapshot.column(name)) {
      columns.push_back(column);
      names.emplace_back(name);
    }
  json::array rows;
  for (ModelNumber model = 0; model < snapshot.num_models(); ++model) {
    const CellNumber cell = shown.cells[model];
    if (cell == kNone) continue;
    json::array row = {model, snapshot.verdicts().text(cell)};
    for (const CellColumn* column : columns) row.push_back(to_json(column->get(cell)));
    rows.push_back(std::move(row));
  }
  return json_response(fmt::format(R"({{"schema":1,"target":{},"stack":{},"columns":{},"rows":{}}})",
                                   text_json(filter.target),
                                   shown.stack ? stack_json(snapshot.stacks()[*shown.stack]) : "null",
                                   json::serialize(names), json::serialize(rows)));
}

Result<Response> answer_files(const Call& call) {
  json::array rows;
  for (const DataFile& file : data_files(*call.site.content.data))
    rows.push_back({{"path", file.path},
                    {"target", file.target},
                    {"kind", file.kind},
                    {"bytes", file.served->content->bytes().size()},
                    {"sha256", file.served->sha256}});
  return rows_response(std::move(rows));
}

Result<Response> answer_data_file(const Call& call) {
  for (const DataFile& file : data_files(*call.site.content.data)) {
    if (file.path != join(call.address.segments, "/")) continue;
    Response response;
    response.set("Content-Type", std::string(file.served->content_type));
    response.set("ETag", fmt::format("\"{}\"", file.served->sha256.substr(0, 24)));
    response.body = Body(file.served->content, file.served->content->bytes());
    return response;
  }
  return fail(Code::NotFound, "there is no such data file: /api/v1/files lists those that there are");
}

}  // namespace willitrun
