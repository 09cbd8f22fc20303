// All requests of a call run in one event loop on libcurl's multi interface: no threads, and a request that waits
// before its next try does not hold up the others. Connections, their TLS sessions and resolved names stay with the
// client between calls.

#include "hub/http_client.h"

#include <curl/curl.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <random>

#include "base/check.h"
#include "base/text.h"
#include "hub/retry_rule.h"
#include "os/clock.h"

namespace willitrun {
namespace {

constexpr int kPollMs = 100;
constexpr long kMinBytesPerSecond = 64;  // Slower than that is silence.
constexpr std::size_t kMaxErrorText = 4096;
constexpr std::size_t kMaxHeaders = 200;

/// The functions of libcurl, looked up at run time.
struct CurlLibrary {
  decltype(&::curl_easy_init) easy_init;
  decltype(&::curl_easy_setopt) easy_setopt;
  decltype(&::curl_easy_getinfo) easy_getinfo;
  decltype(&::curl_easy_cleanup) easy_cleanup;
  decltype(&::curl_easy_strerror) easy_strerror;
  decltype(&::curl_slist_append) slist_append;
  decltype(&::curl_slist_free_all) slist_free_all;
  decltype(&::curl_multi_init) multi_init;
  decltype(&::curl_multi_cleanup) multi_cleanup;
  decltype(&::curl_multi_add_handle) multi_add_handle;
  decltype(&::curl_multi_remove_handle) multi_remove_handle;
  decltype(&::curl_multi_perform) multi_perform;
  decltype(&::curl_multi_poll) multi_poll;
  decltype(&::curl_multi_info_read) multi_info_read;
};

Result<CurlLibrary> load_curl() {
  // Lazily bound: most of what it links (LDAP, Kerberos, SSH) is never called.
  void* library = ::dlopen("libcurl.so.4", RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) return fail(Code::Unavailable, fmt::format("cannot load libcurl: {}", ::dlerror()));
  const char* missing = nullptr;
  const auto look_up = [&]<class F>(F& function, const char* name) {
    function = reinterpret_cast<F>(::dlsym(library, name));
    if (function == nullptr) missing = name;
  };
  CurlLibrary curl = {};
  decltype(&::curl_global_init) global_init = nullptr;
  look_up(global_init, "curl_global_init");
  look_up(curl.easy_init, "curl_easy_init");
  look_up(curl.easy_setopt, "curl_easy_setopt");
  look_up(curl.easy_getinfo, "curl_easy_getinfo");
  look_up(curl.easy_cleanup, "curl_easy_cleanup");
  look_up(curl.easy_strerror, "curl_easy_strerror");
  look_up(curl.slist_append, "curl_slist_append");
  look_up(curl.slist_free_all, "curl_slist_free_all");
  look_up(curl.multi_init, "curl_multi_init");
  look_up(curl.multi_cleanup, "curl_multi_cleanup");
  look_up(curl.multi_add_handle, "curl_multi_add_handle");
  look_up(curl.multi_remove_handle, "curl_multi_remove_handle");
  look_up(curl.multi_perform, "curl_multi_perform");
  look_up(curl.multi_poll, "curl_multi_poll");
  look_up(curl.multi_info_read, "curl_multi_info_read");
  if (missing != nullptr) return fail(Code::Unavailable, fmt::format("libcurl is too old: it has no {}", missing));
  if (global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) return fail(Code::Unavailable, "libcurl does not start");
  return curl;
}

/// Loaded once per process and never unloaded, as libcurl wants it.
const Result<CurlLibrary>& curl_library() {
  static const Result<CurlLibrary> library = load_curl();
  return library;
}

/// Faults of the connection that may pass. A name that does not resolve is not among them: without a network every
/// request would take the pauses of all its tries to say so.
bool is_passing_fault(CURLcode code) {
  constexpr auto kPassing = std::to_array<CURLcode>(
      {CURLE_COULDNT_CONNECT, CURLE_OPERATION_TIMEDOUT, CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_SEND_ERROR,
       CURLE_RECV_ERROR, CURLE_SSL_CONNECT_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_WEIRD_SERVER_REPLY});
  return std::ranges::find(kPassing, code) != kPassing.end();
}

/// One request with its state over all tries.
struct Transfer {
  const HttpRequest* request = nullptr;
  int number = 1;    ///< Of the try that runs or comes next.
  double due_s = 0;  ///< When it may start, on the monotonic clock.
  std::optional<Result<HttpAnswer>> outcome;

  // The try that runs.
  CURL* easy = nullptr;
  curl_slist* header_lines = nullptr;
  std::array<char, CURL_ERROR_SIZE> error_text = {};
  HttpAnswer answer;
  bool has_begun = false;
  bool is_enough = false;
  std::uint64_t kept_bytes = 0;  ///< What the body had when the try began.
  std::optional<Error> body_error;

  bool is_success() const { return answer.status >= 200 && answer.status < 300; }

  bool begin_body() {
    has_begun = true;
    if (auto begun = request->body->begin(answer); !begun) body_error = begun.error();
    return !body_error;
  }

  /// Returns whether the transfer shall go on.
  bool take(std::string_view bytes) {
    if (!is_success()) {
      answer.error_text.append(bytes.substr(0, kMaxErrorText - answer.error_text.size()));
      return true;
    }
    if (!has_begun && !begin_body()) return false;
    const auto wants_more = request->body->append(bytes);
    if (!wants_more) body_error = wants_more.error();
    is_enough = wants_more && !*wants_more;
    return wants_more && *wants_more;
  }

  void take_header(std::string_view line) {
    if (line.starts_with("HTTP/")) {  // The first line of an answer; the one before was a redirect.
      answer = {};
      const auto words = split(line, ' ');
      answer.status = words.size() < 2 ? 0 : static_cast<int>(parse_uint(trim(words[1])).value_or(0));
      return;
    }
    const auto colon = line.find(':');
    if (colon != std::string_view::npos && answer.headers.size() < kMaxHeaders)
      answer.headers[to_lower(line.substr(0, colon))] = trim(line.substr(colon + 1));
  }
};

std::size_t on_body(char* data, std::size_t size, std::size_t count, void* transfer) {
  return static_cast<Transfer*>(transfer)->take({data, size * count}) ? size * count : CURL_WRITEFUNC_ERROR;
}

std::size_t on_header(char* data, std::size_t size, std::size_t count, void* transfer) {
  static_cast<Transfer*>(transfer)->take_header({data, size * count});
  return size * count;
}

std::optional<double> asked_delay(const HttpAnswer& answer) {
  if (const auto text = answer.header("retry-after"); !text.empty())
    return parse_retry_after(text, system_clock().now());
  return parse_rate_limit_reset(answer.header("ratelimit"));
}

}  // namespace

void load_http_library() { static_cast<void>(curl_library()); }

std::string_view HttpAnswer::header(std::string_view name) const {
  const auto found = headers.find(name);
  return found == headers.end() ? std::string_view() : std::string_view(found->second);
}

/// What stays between calls, and the loop of one call.
struct HttpClient::Connections {
  const CurlLibrary& curl;
  const HubSettings& settings;
  CURLM* multi;
  std::minstd_rand random{std::random_device{}()};

  Connections(const CurlLibrary& library, const HubSettings& hub_settings)
      : curl(library), settings(hub_settings), multi(library.multi_init()) {
    CHECK(multi != nullptr);
  }
  Connections(const Connections&) = delete;
  Connections& operator=(const Connections&) = delete;
  ~Connections() { curl.multi_cleanup(multi); }

  template <class Value>
  void set(Transfer& transfer, CURLoption option, Value value) {
    CHECK(curl.easy_setopt(transfer.easy, option, value) == CURLE_OK);
  }

  void start(Transfer& transfer);
  void set_options(Transfer& transfer);
  void add_header(Transfer& transfer, const std::string& line) {
    transfer.header_lines = curl.slist_append(transfer.header_lines, line.c_str());
  }
  void stop(Transfer& transfer);
  void finish(Transfer& transfer, CURLcode code);
  bool try_again(Transfer& transfer, std::string_view reason);
  Error connection_error(const Transfer& transfer, CURLcode code) const;
  Transfer* next_finished(CURLcode& code);
};

void HttpClient::Connections::start(Transfer& transfer) {
  transfer.easy = curl.easy_init();
  CHECK(transfer.easy != nullptr);
  transfer.answer = {};
  transfer.error_text = {};
  transfer.has_begun = transfer.is_enough = false;
  transfer.kept_bytes = transfer.request->body->kept_bytes();
  set_options(transfer);
  CHECK(curl.multi_add_handle(multi, transfer.easy) == CURLM_OK);
}

void HttpClient::Connections::set_options(Transfer& transfer) {
  const HttpRequest& request = *transfer.request;
  // libcurl keeps an Authorization line to itself when a redirect leads to another host, port or scheme (since 7.83).
  if (!request.bearer_token.empty()) add_header(transfer, "Authorization: Bearer " + request.bearer_token);
  for (const std::string& line : request.body->request_headers()) add_header(transfer, line);
  set(transfer, CURLOPT_HTTPHEADER, transfer.header_lines);
  set(transfer, CURLOPT_URL, request.url.c_str());
  set(transfer, CURLOPT_PRIVATE, &transfer);
  set(transfer, CURLOPT_ERRORBUFFER, transfer.error_text.data());
  set(transfer, CURLOPT_USERAGENT, "willitrun");
  set(transfer, CURLOPT_NOSIGNAL, 1L);
  set(transfer, CURLOPT_PROTOCOLS_STR, "http,https");
  set(transfer, CURLOPT_REDIR_PROTOCOLS_STR, request.url.starts_with("https:") ? "https" : "http,https");
  set(transfer, CURLOPT_FOLLOWLOCATION, 1L);
  set(transfer, CURLOPT_MAXREDIRS, 5L);
  set(transfer, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(settings.api_timeout_s * 1000));
  set(transfer, CURLOPT_LOW_SPEED_LIMIT, kMinBytesPerSecond);
  set(transfer, CURLOPT_LOW_SPEED_TIME, std::max(1L, static_cast<long>(request.silence_timeout_s)));
  set(transfer, CURLOPT_BUFFERSIZE, 256L * 1024);
  set(transfer, CURLOPT_WRITEFUNCTION, &on_body);
  set(transfer, CURLOPT_WRITEDATA, &transfer);
  set(transfer, CURLOPT_HEADERFUNCTION, &on_header);
  set(transfer, CURLOPT_HEADERDATA, &transfer);
  if (!settings.ca_bundle.empty()) set(transfer, CURLOPT_CAINFO, settings.ca_bundle.c_str());
}

void HttpClient::Connections::stop(Transfer& transfer) {
  if (transfer.easy == nullptr) return;
  curl.multi_remove_handle(multi, transfer.easy);
  curl.easy_cleanup(transfer.easy);
  curl.slist_free_all(transfer.header_lines);
  transfer.easy = nullptr;
  transfer.header_lines = nullptr;
}

/// Gives the transfer its outcome, or puts it back for another try.
void HttpClient::Connections::finish(Transfer& transfer, CURLcode code) {
  stop(transfer);
  const bool is_answered = code == CURLE_OK || transfer.is_enough;
  if (is_answered && transfer.is_success() && !transfer.has_begun) transfer.begin_body();  // An empty body.
  if (transfer.body_error) {
    transfer.outcome = fail(*transfer.body_error);
  } else if (is_answered) {
    const auto reason = fmt::format("status {} from '{}'", transfer.answer.status, transfer.request->url);
    if (!is_passing_trouble(transfer.answer.status) || !try_again(transfer, reason)) transfer.outcome = transfer.answer;
  } else {
    transfer.answer = {};  // Its status says nothing about a connection that broke.
    const Error error = connection_error(transfer, code);
    if (!is_passing_fault(code) || !try_again(transfer, error.message)) transfer.outcome = fail(error);
  }
}

bool HttpClient::Connections::try_again(Transfer& transfer, std::string_view reason) {
  if (transfer.request->body->kept_bytes() > transfer.kept_bytes) transfer.number = 1;
  const RetryRule rule = {settings.max_attempts, settings.first_delay_s, settings.max_delay_s};
  const FailedTry failed = {transfer.number, transfer.answer.status, asked_delay(transfer.answer)};
  const auto delay_s = delay_before_next_try(rule, failed, std::generate_canonical<double, 32>(random));
  if (!delay_s) return false;
  if (settings.on_retry) settings.on_retry(fmt::format("{}: trying again in {:.1f} s", reason, *delay_s));
  ++transfer.number;
  transfer.due_s = system_clock().monotonic_s() + *delay_s;
  return true;
}

Error HttpClient::Connections::connection_error(const Transfer& transfer, CURLcode code) const {
  const char* reason = transfer.error_text[0] != '\0' ? transfer.error_text.data() : curl.easy_strerror(code);
  return Error{code == CURLE_OPERATION_TIMEDOUT ? Code::Timeout : Code::Unavailable,
               fmt::format("cannot get '{}': {}", transfer.request->url, reason)};
}

Transfer* HttpClient::Connections::next_finished(CURLcode& code) {
  int left = 0;
  while (const CURLMsg* message = curl.multi_info_read(multi, &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    Transfer* transfer = nullptr;
    code = message->data.result;
    curl.easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
    return transfer;
  }
  return nullptr;
}

HttpClient::HttpClient(const HubSettings& settings, const std::atomic<bool>& cancelled)
    : settings_(settings), cancelled_(cancelled) {}

HttpClient::~HttpClient() = default;

std::vector<Result<HttpAnswer>> HttpClient::get_all(std::span<const HttpRequest> requests, AfterError after_error) {
  const Result<CurlLibrary>& library = curl_library();
  if (!library) return std::vector<Result<HttpAnswer>>(requests.size(), fail(library.error()));
  if (!connections_) connections_ = std::make_unique<Connections>(*library, settings_);
  Connections& connections = *connections_;

  std::deque<Transfer> transfers(requests.size());
  for (std::size_t i = 0; i < requests.size(); ++i) transfers[i].request = &requests[i];

  bool is_stopped = false;
  const auto is_open = [](const Transfer& transfer) { return !transfer.outcome; };
  while (!is_stopped && std::ranges::any_of(transfers, is_open)) {
    const double now_s = system_clock().monotonic_s();
    auto num_running = std::ranges::count_if(transfers, [](const Transfer& t) { return t.easy != nullptr; });
    for (Transfer& transfer : transfers) {
      if (num_running >= settings_.max_parallel) break;
      if (!is_open(transfer) || transfer.easy != nullptr || transfer.due_s > now_s) continue;
      connections.start(transfer);
      ++num_running;
    }
    int num_active = 0;
    CHECK(connections.curl.multi_perform(connections.multi, &num_active) == CURLM_OK);
    bool is_any_finished = false;
    CURLcode code = CURLE_OK;
    while (Transfer* transfer = connections.next_finished(code)) {
      is_any_finished = true;
      connections.finish(*transfer, code);
      const bool is_bad = transfer->outcome && (!*transfer->outcome || (*transfer->outcome)->status >= 400);
      is_stopped = is_stopped || (is_bad && after_error == AfterError::Stop);
    }
    is_stopped = is_stopped || cancelled_.load();
    if (!is_stopped && !is_any_finished)
      CHECK(connections.curl.multi_poll(connections.multi, nullptr, 0, kPollMs, nullptr) == CURLM_OK);
  }

  std::vector<Result<HttpAnswer>> outcomes;
  for (Transfer& transfer : transfers) {
    connections.stop(transfer);
    outcomes.push_back(transfer.outcome.value_or(fail(Code::Cancelled, "interrupted")));
  }
  return outcomes;
}

Result<HttpAnswer> HttpClient::get(const HttpRequest& request) {
  return get_all({&request, 1}, AfterError::GoOn).front();
}

}  // namespace willitrun
