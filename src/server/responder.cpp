#include "server/responder.h"

#include <fmt/format.h>

#include "server/handler.h"

namespace willitrun {
namespace {

// A person who asks for tests one by one never meets these.
constexpr double kWritesAtOnce = 20;
constexpr double kWritesPerSecond = 0.5;

}  // namespace

Responder::Responder(Site site, const Clock& clock)
    : clock_(clock),
      site_(std::move(site)),
      content_(std::make_shared<const SiteContent>(site_.content)),
      writes_(kWritesAtOnce, kWritesPerSecond) {
  site_.figures = [this] { return metrics_.text(*content()); };
}

Response Responder::answer_from_site(const Request& request) {
  if (request.method == Method::Post && !writes_.allow(request.client, clock_.monotonic_s())) {
    Response response = error_response(429, "resource_exhausted", "too many requests to write: wait some seconds");
    response.set("Retry-After", "10");
    return response;
  }
  Site site = site_;
  site.content = *content();
  return handle(request, site);
}

Response Responder::answer(const Request& request) {
  const double start_s = clock_.monotonic_s();
  Response response = answer_from_site(request);
  metrics_.count(response.route, response.status, clock_.monotonic_s() - start_s);
  if (!response.trouble.empty()) fmt::print(stderr, "willitrun: {}: {}\n", response.route, response.trouble);
  return response;
}

}  // namespace willitrun
