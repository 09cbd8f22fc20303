#include "server/received_request.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace willitrun {
namespace {

/// Headers by which a proxy tells that it speaks for somebody else.
constexpr auto kProxyHeaders = std::to_array<std::string_view>({"x-forwarded-for", "forwarded", "x-real-ip", "via"});

Method method_of(std::string_view name) {
  if (name == "GET") return Method::Get;
  if (name == "HEAD") return Method::Head;
  if (name == "OPTIONS") return Method::Options;
  return name == "POST" ? Method::Post : Method::Other;
}

/// Whether Accept-Encoding takes gzip: names it, and not with weight 0.
bool takes_gzip(std::string_view header) {
  for (const std::string_view part : split(header, ',')) {
    const auto words = split(part, ';');
    if (trim(words[0]) != "gzip") continue;
    return words.size() == 1 || (trim(words[1]) != "q=0" && trim(words[1]) != "q=0.0");
  }
  return false;
}

}  // namespace

Request request_of(ReceivedRequest received) {
  const auto header = [&](std::string_view name) {
    const auto found =
        std::ranges::find_if(received.headers, [&](const auto& item) { return to_lower(item.first) == name; });
    return found == received.headers.end() ? std::string() : std::string(found->second);
  };
  Request request;
  request.method = method_of(received.method);
  request.if_none_match = header("if-none-match");
  request.authorization = header("authorization");
  request.content_type = header("content-type");
  request.origin = header("origin");
  request.host = header("host");
  request.accepts_gzip = takes_gzip(header("accept-encoding"));
  request.accepts_html = header("accept").find("text/html") != std::string::npos;
  const bool through_proxy = std::ranges::any_of(received.headers, [](const auto& item) {
    return std::ranges::find(kProxyHeaders, to_lower(item.first)) != kProxyHeaders.end();
  });
  request.from_here = received.is_loopback && !through_proxy;
  request.target = std::move(received.target);
  request.body = std::move(received.body);
  request.client = std::move(received.client);
  return request;
}

}  // namespace willitrun
