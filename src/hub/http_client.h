#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "hub/hub_settings.h"

namespace willitrun {

/// Status and headers of a final answer (after redirects), and the first bytes of its body when it is an error.
struct HttpAnswer {
  int status = 0;
  std::map<std::string, std::string, std::less<>> headers;  ///< Names in lower case; of equal names the last.
  std::string error_text;

  /// Returns a header's value, or an empty text. `name` is in lower case.
  std::string_view header(std::string_view name) const;
};

/// Takes the content of one request, over all its tries.
class HttpBody {
 public:
  virtual ~HttpBody() = default;

  /// Headers that ask for what is still missing (`Range: ...`).
  virtual std::vector<std::string> request_headers() const { return {}; }

  /// A try was answered with a 2xx status; its content follows. An error ends the request.
  virtual Status begin(const HttpAnswer& answer) = 0;

  /// Takes the next bytes. False: it is enough, the rest need not be sent. An error ends the request.
  virtual Result<bool> append(std::string_view bytes) = 0;

  /// Bytes that a next try need not fetch again. A try that added some does not count as failed.
  virtual std::uint64_t kept_bytes() const { return 0; }
};

/// One GET request.
struct HttpRequest {
  std::string url;
  std::string
      bearer_token;  ///< Sent to the url's own host and port only, never after a redirect to another. May be empty.
  HttpBody* body = nullptr;       ///< Outlives the request.
  double silence_timeout_s = 10;  ///< A try ends when nothing arrives for so long.
};

enum class AfterError { GoOn, Stop };

/// Loads libcurl and what it links, some 10 ms. The first request does it otherwise; who has other work to do first
/// calls this on a thread of its own meanwhile.
void load_http_library();

/// Sends GET requests, many at a time, over connections that are used again; follows redirects; tries again what may
/// pass.
///
/// libcurl is loaded at the first request: linking it would cost every command 12 ms at start (measured: `int main()
/// {}` with and without -lcurl, Debian 12, 32 libraries).
class HttpClient {
 public:
  /// `cancelled` outlives the client and is looked at ten times a second.
  HttpClient(const HubSettings& settings, const std::atomic<bool>& cancelled);
  ~HttpClient();

  /// Sends all requests; answers in their order. Any status is an answer, but those that may pass only after the last
  /// try. Errors: Unavailable, Timeout, Cancelled, and what a body returns. With Stop, requests after the first error
  /// or status of 400 and more end as Cancelled.
  std::vector<Result<HttpAnswer>> get_all(std::span<const HttpRequest> requests, AfterError after_error);

  Result<HttpAnswer> get(const HttpRequest& request);

 private:
  struct Connections;

  HubSettings settings_;
  const std::atomic<bool>& cancelled_;
  std::unique_ptr<Connections> connections_;
};

}  // namespace willitrun
