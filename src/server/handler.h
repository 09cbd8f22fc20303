#pragma once

#include <span>
#include <string_view>

#include "server/http_message.h"
#include "server/site.h"

namespace willitrun {

/// Answers a request from a site: a pure function of both, but for what the site's row source and queue do. Never
/// fails: an error is an answer, `{"error": {"code", "message"}}` with the status that fits, without a path of this
/// machine.
Response handle(const Request& request, const Site& site);

/// A kind of address that is answered.
struct RouteDescription {
  std::string_view pattern;                      ///< As /openapi.json spells it: `/api/v1/models/{owner}/{name}`.
  std::span<const std::string_view> parameters;  ///< Names of the query parameters that it takes; others are an error.
  bool takes_post = false;
};

/// Every API route, in the order in which they are tried.
std::span<const RouteDescription> api_routes();

/// The error answer of a status.
Response error_response(int status, std::string_view code, std::string_view message);

}  // namespace willitrun
