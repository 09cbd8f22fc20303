#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>

#include "base/text.h"
#include "domain/model_ref.h"
#include "lookup/view.h"
#include "server/handler.h"
#include "server/routes.h"

namespace willitrun {
namespace {

namespace json = boost::json;

constexpr std::size_t kMaxVersionBytes = 40;

json::object to_json(const TestRequest& request) {
  return {{"id", request.id},
          {"model_id", request.wish.model_id},
          {"target", request.wish.target},
          {"transformers", request.wish.transformers},
          {"votes", request.votes},
          {"position", request.position ? json::value(*request.position) : json::value(nullptr)},
          {"state", to_text(request.state)},
          {"requested_at", to_text(request.requested_at)}};
}

bool is_same_token(std::string_view a, std::string_view b) {
  // Every byte is looked at, so that the time tells nothing about where two tokens part.
  unsigned difference = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i)
    difference |= static_cast<unsigned>(static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]));
  return difference == 0;
}

bool has_token(const Call& call) {
  constexpr std::string_view kScheme = "Bearer ";
  const std::string_view given = call.request.authorization;
  return !call.site.token.empty() && given.starts_with(kScheme) &&
         is_same_token(given.substr(kScheme.size()), call.site.token);
}

/// The host that a Host or Origin header names, without scheme and port.
std::string_view host_of(std::string_view text) {
  if (const std::size_t scheme = text.find("://"); scheme != std::string_view::npos) text.remove_prefix(scheme + 3);
  if (text.starts_with('[')) return text.substr(0, text.find(']') + 1);
  return text.substr(0, text.find(':'));
}

/// A caller on this machine that speaks for itself: not through a proxy, not a page of another site in a browser, and
/// not by a name that somebody let point to this machine.
bool is_local_caller(const Call& call) {
  const std::string_view host = host_of(call.request.host);
  const bool is_loopback_name = host == "localhost" || host == "127.0.0.1" || host == "[::1]";
  const bool is_same_origin = call.request.origin.empty() || call.request.origin == "http://" + call.request.host ||
                              call.request.origin == "https://" + call.request.host;
  return call.request.from_here && is_loopback_name && is_same_origin;
}

bool is_version(std::string_view text) {
  return text.size() <= kMaxVersionBytes && std::ranges::all_of(text, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' || c == '+' ||
                  c == '-';
         });
}

Status check(const TestWish& wish, const Site& site) {
  if (!is_hub_id(wish.model_id))
    return fail(Code::InvalidArgument, fmt::format("'{}' is not a model id of the Hub", to_valid_utf8(wish.model_id)));
  if (std::ranges::find(site.targets, wish.target) == site.targets.end())
    return fail(Code::InvalidArgument, fmt::format("there is no target '{}': use one of {}", to_valid_utf8(wish.target),
                                                   join(site.targets, ", ")));
  if (!is_version(wish.transformers)) return fail(Code::InvalidArgument, "'transformers' is not a version");
  return {};
}

Result<TestWish> read_wish(std::string_view body) {
  boost::system::error_code error;
  const json::value document = json::parse(body, error);
  if (error || !document.is_object())
    return fail(Code::InvalidArgument, "the body is not a JSON object like {\"model_id\": \"Qwen/Qwen3-0.6B\"}");
  TestWish wish{.model_id = {}, .target = StackFilter().target, .transformers = {}};
  for (const auto& [name, value] : document.get_object()) {
    std::string* field = name == "model_id"       ? &wish.model_id
                         : name == "target"       ? &wish.target
                         : name == "transformers" ? &wish.transformers
                                                  : nullptr;
    if (field == nullptr || !value.is_string())
      return fail(Code::InvalidArgument,
                  "the body takes the texts 'model_id', 'target' and 'transformers' and nothing else");
    *field = std::string_view(value.get_string());
  }
  return wish;
}

std::unexpected<Error> no_queue() { return fail(Code::NotFound, "this site has no queue of test requests"); }

Response refuse_writer() {
  Response response =
      error_response(401, "permission_denied",
                     "asking for a test needs the server's token (Authorization: Bearer), or a caller on its machine");
  response.set("WWW-Authenticate", "Bearer");
  return response;
}

}  // namespace

Result<Response> answer_queue(const Call& call) {
  if (call.site.queue == nullptr) return no_queue();
  ASSIGN_OR_RETURN(const auto requests, call.site.queue->requests());
  json::array rows;
  for (const TestRequest& request : requests) rows.push_back(to_json(request));
  const std::size_t total = rows.size();
  return json_response(json::serialize(
      json::object{{"schema", 1}, {"rows", std::move(rows)}, {"total", total}, {"may_ask", is_local_caller(call)}}));
}

Result<Response> answer_queue_post(const Call& call) {
  if (call.site.queue == nullptr) return no_queue();
  const bool is_local = is_local_caller(call);
  if (!is_local && !has_token(call)) return refuse_writer();
  if (!to_lower(call.request.content_type).starts_with("application/json"))
    return error_response(415, "invalid_argument", "the body must be application/json");
  ASSIGN_OR_RETURN(const TestWish wish, read_wish(call.request.body));
  RETURN_IF_ERROR(check(wish, call.site));
  ASSIGN_OR_RETURN(const AskedTest asked, call.site.queue->ask(wish, is_local ? "local" : call.request.client));
  Response response = json_response(
      json::serialize(json::object{{"schema", 1}, {"created", asked.is_new}, {"request", to_json(asked.request)}}));
  response.status = asked.is_new ? 201 : 200;
  return response;
}

}  // namespace willitrun
