#include "server/handler.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>

#include "base/text.h"
#include "os/sha256.h"
#include "server/pages.h"
#include "server/routes.h"

// A request goes: method -> address -> route -> the route's function -> headers that all answers have -> conditional
// GET. What no API route fits is a page or a file of the page build (pages.h).
namespace willitrun {
namespace {

using Answer = Result<Response> (*)(const Call&);
using Names = std::span<const std::string_view>;

constexpr std::array<std::string_view, 3> kStack = {"target", "neuronx_cc", "transformers"};
constexpr std::array<std::string_view, 1> kTarget = {"target"};
constexpr std::array<std::string_view, 9> kList = {"view",       "task",         "q",      "where", "target",
                                                   "neuronx_cc", "transformers", "cursor", "limit"};
constexpr std::array<std::string_view, 3> kTwoStacks = {"a", "b", "target"};

struct Route {
  RouteDescription description;
  Answer get;
  Answer post = nullptr;
};

constexpr Route route(std::string_view pattern, Names parameters, Answer get, Answer post = nullptr) {
  return {{pattern, parameters, post != nullptr}, get, post};
}

constexpr Route kRoutes[] = {
    route("/site.json", {}, answer_site),
    route("/api/v1/models", kList, answer_models),
    route("/api/v1/models/{owner}/{name}/run.py", kStack, answer_run_py),
    route("/api/v1/models/{owner}/{name}/history", kTarget, answer_history),
    route("/api/v1/models/{owner}/{name}", kStack, answer_model),
    route("/api/v1/stacks", {}, answer_stacks),
    route("/api/v1/tasks", {}, answer_tasks),
    route("/api/v1/compare", kTwoStacks, answer_compare),
    route("/api/v1/failures", kStack, answer_failures),
    route("/api/v1/failures/{signature}", kStack, answer_failure),
    route("/api/v1/coverage", kStack, answer_coverage),
    route("/api/v1/exclusions", {}, answer_exclusions),
    route("/api/v1/queue", {}, answer_queue, answer_queue_post),
    route("/api/v1/events", {}, answer_events),
    route("/api/v1/columns", {}, answer_columns),
    route("/api/v1/fields", {}, answer_fields),
    route("/api/v1/files", {}, answer_files),
    route("/api/v1/index", {}, answer_index),
    route("/api/v1/results", kStack, answer_results),
    route("/data/{target}/{file}", {}, answer_data_file),
    route("/data/attempts/{target}/{file}", {}, answer_data_file),
    route("/badge/{owner}/{name}.svg", kStack, answer_badge),
    route("/feed/model/{owner}/{name}.atom", {}, answer_model_feed),
    route("/feed/org/{owner}.atom", {}, answer_org_feed),
    route("/feed/signature/{signature}.atom", {}, answer_signature_feed),
    route("/healthz", {}, answer_health),
    route("/metrics", {}, answer_metrics),
    route("/openapi.json", {}, answer_openapi),
};

/// Tells whether a segment fits a pattern's: the same text, or `{name}` with an ending, and something before it.
bool match_segment(std::string_view pattern, const std::string& segment, std::vector<std::string>& parts) {
  if (!pattern.starts_with('{')) return pattern == segment;
  const std::string_view ending = pattern.substr(pattern.find('}') + 1);
  if (!segment.ends_with(ending) || segment.size() == ending.size()) return false;
  parts.push_back(segment.substr(0, segment.size() - ending.size()));
  return true;
}

bool match(std::string_view pattern, const Address& address, std::vector<std::string>& parts) {
  const auto wanted = split(pattern.substr(1), '/');
  if (address.ends_in_slash || wanted.size() != address.segments.size()) return false;
  parts.clear();
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (!match_segment(wanted[i], address.segments[i], parts)) return false;
  return true;
}

Status check_parameters(const Address& address, Names known) {
  for (const auto& [name, value] : address.query)
    if (std::ranges::find(known, name) == known.end())
      return fail(Code::InvalidArgument,
                  fmt::format("there is no parameter '{}' here{}", name,
                              known.empty() ? "" : fmt::format(": use {}", fmt::join(known, ", "))));
  return {};
}

int status_of(Code code) {
  switch (code) {
    case Code::InvalidArgument: return 400;
    case Code::PermissionDenied: return 403;
    case Code::NotFound: return 404;
    case Code::AlreadyExists: return 409;
    case Code::Unavailable:
    case Code::ResourceExhausted:
    case Code::Cancelled: return 503;
    case Code::Timeout: return 504;
    case Code::Corruption:
    case Code::Io:
    case Code::Internal: break;
  }
  return 500;
}

/// An error as an answer. What went wrong inside is for the operator: it may name paths of this machine.
Response response_of(const Error& error) {
  const int status = status_of(error.code);
  if (status < 500) return error_response(status, to_text(error.code), error.message);
  Response response =
      error_response(status, to_text(error.code), "the server cannot answer this now; its log says why");
  response.trouble = error.message;
  return response;
}

Response method_not_allowed(bool takes_post) {
  Response response = error_response(405, "method_not_allowed", "this address does not take that method");
  response.set("Allow", takes_post ? "GET, HEAD, OPTIONS, POST" : "GET, HEAD, OPTIONS");
  return response;
}

/// What a browser asks before a request to another origin. Reads are open; a write is never granted.
Response preflight() {
  Response response;
  response.status = 204;
  response.set("Allow", "GET, HEAD, OPTIONS");
  response.set("Access-Control-Allow-Methods", "GET, HEAD");
  response.set("Access-Control-Allow-Headers", "If-None-Match");
  response.set("Access-Control-Max-Age", "86400");
  return response;
}

Result<Response> answer(const Route& route, const Call& call) {
  RETURN_IF_ERROR(check_parameters(call.address, route.description.parameters));
  if (call.request.method != Method::Post) return route.get(call);
  return route.post != nullptr ? route.post(call) : method_not_allowed(false);
}

/// The answer before headers that all answers have.
Response find_answer(const Request& request, const Site& site) {
  if (request.method == Method::Other) return method_not_allowed(false);
  if (request.target.size() > kMaxTargetBytes)
    return error_response(414, "invalid_argument", fmt::format("the address is longer than {} bytes", kMaxTargetBytes));
  if (request.method == Method::Options) return preflight();
  const auto address = parse_address(request.target);
  if (!address) return response_of(address.error());
  Call call{request, *address, site, {}};
  for (const Route& route : kRoutes) {
    if (!match(route.description.pattern, *address, call.parts)) continue;
    auto response = answer(route, call);
    if (!response) response = response_of(response.error());
    response->route = route.description.pattern;
    return std::move(*response);
  }
  if (request.method == Method::Post) return method_not_allowed(false);
  return page_or_file(*address, request, site);
}

bool is_read(const Request& request) { return request.method == Method::Get || request.method == Method::Head; }

/// Whether If-None-Match names the tag. Tags are compared weakly (RFC 9110, 13.1.2).
bool names_tag(std::string_view if_none_match, std::string_view tag) {
  if (trim(if_none_match) == "*") return true;
  for (std::string_view known : split(if_none_match, ',')) {
    known = trim(known);
    if (known.starts_with("W/")) known.remove_prefix(2);
    if (known == tag) return true;
  }
  return false;
}

void add_common_headers(Response& response, const Request& request) {
  response.set("X-Content-Type-Options", "nosniff");
  response.set("Referrer-Policy", "same-origin");
  if (response.header("Content-Security-Policy").empty())
    response.set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
  if (response.header("Cache-Control").empty())
    response.set("Cache-Control", response.status == 200 && is_read(request) ? "no-cache" : "no-store");
  if (request.method != Method::Post) {
    response.set("Access-Control-Allow-Origin", "*");
    response.set("Access-Control-Expose-Headers", "ETag");
    response.set("Cross-Origin-Resource-Policy", "cross-origin");
  }
}

}  // namespace

std::string_view Response::header(std::string_view name) const {
  const auto found = std::ranges::find(headers, name, &std::pair<std::string_view, std::string>::first);
  return found == headers.end() ? std::string_view() : found->second;
}

std::span<const RouteDescription> api_routes() {
  static const auto descriptions = [] {
    std::array<RouteDescription, std::size(kRoutes)> all;
    std::ranges::transform(kRoutes, all.begin(), &Route::description);
    return all;
  }();
  return descriptions;
}

Response error_response(int status, std::string_view code, std::string_view message) {
  namespace json = boost::json;
  const json::object error = {{"code", code}, {"message", to_valid_utf8(message)}};
  Response response = json_response(json::serialize(json::object{{"error", error}}));
  response.status = status;
  return response;
}

Response handle(const Request& request, const Site& site) {
  Response response = find_answer(request, site);
  if (response.status == 200 && is_read(request) && !response.is_event_stream) {
    if (response.header("ETag").empty())
      response.set("ETag", fmt::format("\"{}\"", sha256_hex(response.body.bytes()).substr(0, 24)));
    if (!request.if_none_match.empty() && names_tag(request.if_none_match, response.header("ETag"))) {
      response.status = 304;
      response.body = Body();
    }
  }
  add_common_headers(response, request);
  return response;
}

}  // namespace willitrun
