#include "hub/local_hub_fixture.h"

#include <boost/json.hpp>
#include <boost/url/encode.hpp>
#include <boost/url/rfc/unreserved_chars.hpp>

#include "base/check.h"
#include "hub/http_client.h"
#include "hub/memory_body.h"

namespace willitrun {
namespace {

namespace json = boost::json;

std::optional<std::string> text_or_nothing(const json::value& value) {
  if (value.is_null()) return std::nullopt;
  return std::string(value.get_string());
}

std::string control(const HubSettings& settings, const std::string& command) {
  const std::atomic<bool> never = false;
  HttpClient client(settings, never);
  WholeBody body(64 << 20);
  const auto answer = client.get({settings.endpoint + "/_control/" + command, "", &body});
  CHECK(answer && answer->status == 200);
  return body.bytes();
}

}  // namespace

std::unique_ptr<TempFolder> LocalHubTest::folder_;
std::unique_ptr<LocalMirrorFixture> LocalHubTest::repositories_;
std::unique_ptr<LocalHub> LocalHubTest::server_;

void LocalHubTest::SetUpTestSuite() {
  folder_ = std::make_unique<TempFolder>();
  repositories_ = std::make_unique<LocalMirrorFixture>(folder_->path());
  server_ = std::make_unique<LocalHub>(WILLITRUN_SOURCE_DIR, folder_->path());
}

void LocalHubTest::TearDownTestSuite() {
  server_.reset();
  repositories_.reset();
  folder_.reset();
}

void LocalHubTest::SetUp() { control(settings(), "reset"); }

HubSettings LocalHubTest::settings() {
  HubSettings settings;
  settings.endpoint = server_->address();
  settings.first_delay_s = 0.01;
  settings.api_timeout_s = settings.download_timeout_s =
      30;  // A busy machine is no fault; tests of silence set their own.
  return settings;
}

void LocalHubTest::order(const std::string& faults) {
  control(settings(), "set?faults=" + boost::urls::encode(faults, boost::urls::unreserved_chars));
}

std::vector<SeenRequest> LocalHubTest::seen() {
  const json::value counters = json::parse(control(settings(), "counters"));
  std::vector<SeenRequest> requests;
  for (const json::value& entry : counters.at("log").get_array())
    requests.push_back({.path = json::value_to<std::string>(entry.at("path")),
                        .port = json::value_to<int>(entry.at("port")),
                        .status = json::value_to<int>(entry.at("status")),
                        .bytes = json::value_to<std::uint64_t>(entry.at("bytes")),
                        .range = text_or_nothing(entry.at("range")),
                        .if_range = text_or_nothing(entry.at("if_range")),
                        .authorization = text_or_nothing(entry.at("authorization"))});
  return requests;
}

std::uint64_t LocalHubTest::seen_bytes() {
  std::uint64_t bytes = 0;
  for (const SeenRequest& request : seen()) bytes += request.bytes;
  return bytes;
}

}  // namespace willitrun
