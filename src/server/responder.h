#pragma once

#include <atomic>
#include <memory>

#include "os/clock.h"
#include "server/http_message.h"
#include "server/metrics.h"
#include "server/rate_limit.h"
#include "server/site.h"

namespace willitrun {

/// What lies between sockets and handle(): the content that is current, figures, and the limit on writes. Any number of
/// threads may use it.
class Responder {
 public:
  /// `site` holds everything that stays; its `content` is the first one. What it points to outlives the responder.
  Responder(Site site, const Clock& clock);

  Response answer(const Request& request);

  /// Puts new content in place of the old one, which lives on as long as somebody reads it.
  void replace(std::shared_ptr<const SiteContent> content) { content_.store(std::move(content)); }

  std::shared_ptr<const SiteContent> content() const { return content_.load(); }
  Metrics& metrics() { return metrics_; }

 private:
  Response answer_from_site(const Request& request);

  const Clock& clock_;
  Site site_;
  std::atomic<std::shared_ptr<const SiteContent>> content_;
  Metrics metrics_;
  RateLimit writes_;
};

}  // namespace willitrun
