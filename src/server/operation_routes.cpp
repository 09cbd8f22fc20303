#include <boost/json.hpp>

#include "domain/row_columns.h"
#include "server/embedded_openapi.h"
#include "server/openapi.h"
#include "server/routes.h"

namespace willitrun {
namespace {

namespace json = boost::json;

json::object schema_of(ColumnType type) {
  switch (type) {
    case ColumnType::Bool: return {{"type", "boolean"}};
    case ColumnType::Int32:
    case ColumnType::Int64: return {{"type", "integer"}};
    case ColumnType::Double: return {{"type", "number"}};
    case ColumnType::String: return {{"type", "string"}};
    case ColumnType::Timestamp: return {{"type", "string"}, {"format", "date-time"}};
    case ColumnType::Int32List: return {{"type", "array"}, {"items", {{"type", "integer"}}}};
    case ColumnType::StringList: return {{"type", "array"}, {"items", {{"type", "string"}}}};
  }
  return {};
}

std::string with_row_columns() {
  json::value document = json::parse({kOpenApi.data(), kOpenApi.size()});
  json::object& properties = document.at("components").at("schemas").at("Row").at("properties").as_object();
  for (const RowColumn& column : row_columns()) {
    json::object schema = schema_of(column.type);
    schema.emplace("description", column.meaning);
    properties.insert_or_assign(column.name, std::move(schema));
  }
  properties.insert_or_assign("neuron_cores", json::object{{"type", "integer"}, {"description", "The same as tp."}});
  return json::serialize(document);
}

}  // namespace

const std::string& openapi_document() {
  static const std::string document = with_row_columns();
  return document;
}

Result<Response> answer_openapi(const Call&) { return json_response(openapi_document()); }

Result<Response> answer_health(const Call&) { return json_response(R"({"status":"ok"})"); }

Result<Response> answer_metrics(const Call& call) {
  if (!call.site.figures) return fail(Code::NotFound, "this site keeps no figures");
  Response response = text_response("text/plain; version=0.0.4; charset=utf-8", call.site.figures());
  response.set("Cache-Control", "no-store");
  return response;
}

Result<Response> answer_events(const Call& call) {
  if (call.request.method == Method::Head) return text_response("text/event-stream", "");
  Response response = text_response("text/event-stream", "");
  response.set("Cache-Control", "no-store");
  response.is_event_stream = true;
  return response;
}

}  // namespace willitrun
