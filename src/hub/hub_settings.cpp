#include "hub/hub_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "os/file.h"

namespace willitrun {
namespace {

namespace fs = std::filesystem;

/// Reads variables the way huggingface_hub does (constants.py).
class Environment {
 public:
  explicit Environment(const EnvironmentLookup& lookup) : lookup_(lookup) {}

  std::string text(const char* name) const { return lookup_(name); }

  bool is_true(const char* name) const {
    constexpr auto kTrue = std::to_array<std::string_view>({"1", "on", "yes", "true"});
    return std::ranges::find(kTrue, to_lower(text(name))) != kTrue.end();
  }

  /// A folder or file; `~` at the beginning is the user's home.
  fs::path path_or(const char* name, const fs::path& fallback) const {
    const std::string value = text(name);
    if (value.empty()) return fallback;
    return value.starts_with("~/") ? fs::path(text("HOME")) / value.substr(2) : fs::path(value);
  }

  /// Whole seconds; absent and 0 mean the fallback.
  Result<double> seconds_or(const char* name, double fallback) const {
    const std::string value = text(name);
    if (value.empty()) return fallback;
    const auto seconds = parse_uint(trim(value));
    if (!seconds) return fail(Code::InvalidArgument, fmt::format("{} is '{}', not a number of seconds", name, value));
    return *seconds == 0 ? fallback : static_cast<double>(*seconds);
  }

 private:
  const EnvironmentLookup& lookup_;
};

Result<std::string> checked_token(std::string_view text, std::string_view source) {
  const std::string_view token = trim(text);
  const auto is_visible = [](char c) { return c > ' ' && c < 0x7f; };
  if (!std::ranges::all_of(token, is_visible))  // It becomes a header line: nothing may end the line early.
    return fail(Code::InvalidArgument, fmt::format("the token of {} holds spaces or control characters", source));
  return std::string(token);
}

Result<std::string> read_token(const Environment& environment, const fs::path& hf_home) {
  if (const auto token = environment.text("HF_TOKEN"); !token.empty()) return checked_token(token, "HF_TOKEN");
  if (environment.is_true("HF_HUB_DISABLE_IMPLICIT_TOKEN")) return std::string();
  const fs::path path = environment.path_or("HF_TOKEN_PATH", hf_home / "token");
  constexpr std::uint64_t kMaxTokenBytes = 4096;
  const auto content = read_file(path, kMaxTokenBytes);
  if (!content && content.error().code == Code::NotFound) return std::string();
  if (!content) return fail(with_context(content.error(), "cannot read the Hub token"));
  return checked_token(*content, fmt::format("'{}'", path.string()));
}

Result<std::string> checked_endpoint(std::string endpoint) {
  while (endpoint.ends_with('/')) endpoint.pop_back();
  if (!endpoint.starts_with("https://") && !endpoint.starts_with("http://"))
    return fail(Code::InvalidArgument, fmt::format("HF_ENDPOINT is '{}', not an http or https address", endpoint));
  return endpoint;
}

}  // namespace

Result<HubSettings> read_hub_settings(const EnvironmentLookup& lookup) {
  const Environment environment(lookup);
  const fs::path user_cache = environment.path_or("XDG_CACHE_HOME", fs::path(environment.text("HOME")) / ".cache");
  const fs::path hf_home = environment.path_or("HF_HOME", user_cache / "huggingface");

  HubSettings settings;
  if (auto endpoint = environment.text("HF_ENDPOINT"); !endpoint.empty()) {
    ASSIGN_OR_RETURN(settings.endpoint, checked_endpoint(std::move(endpoint)));
  }
  ASSIGN_OR_RETURN(settings.token, read_token(environment, hf_home));
  settings.cache = environment.path_or("HF_HUB_CACHE", hf_home / "hub");
  settings.ca_bundle = environment.path_or("SSL_CERT_FILE", {});
  settings.offline = environment.is_true("HF_HUB_OFFLINE") || environment.is_true("TRANSFORMERS_OFFLINE");
  ASSIGN_OR_RETURN(settings.api_timeout_s, environment.seconds_or("HF_HUB_ETAG_TIMEOUT", settings.api_timeout_s));
  ASSIGN_OR_RETURN(settings.download_timeout_s,
                   environment.seconds_or("HF_HUB_DOWNLOAD_TIMEOUT", settings.download_timeout_s));
  return settings;
}

}  // namespace willitrun
