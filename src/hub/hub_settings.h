#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace willitrun {

/// How to reach the Hub: the same environment variables, with the same meaning, as huggingface_hub.
struct HubSettings {
  std::string endpoint = "https://huggingface.co";  ///< HF_ENDPOINT, without a slash at the end.
  std::string token;                ///< HF_TOKEN, else the file HF_TOKEN_PATH or $HF_HOME/token; empty for none.
  std::filesystem::path cache;      ///< HF_HUB_CACHE, else $HF_HOME/hub.
  std::filesystem::path ca_bundle;  ///< SSL_CERT_FILE: certificates to trust instead of the system's; empty for those.
  bool offline = false;             ///< HF_HUB_OFFLINE: nothing may be asked of the network.
  double api_timeout_s = 10;       ///< HF_HUB_ETAG_TIMEOUT: silence while connecting and in answers about repositories.
  double download_timeout_s = 10;  ///< HF_HUB_DOWNLOAD_TIMEOUT: silence while content is read.
  int max_attempts = 5;            ///< Tries of one request, the first included.
  double first_delay_s = 1;        ///< Pause before the second try; doubles each time, plus a random part.
  double max_delay_s = 120;        ///< No pause is longer; a Hub that asks for more ends the request.
  int max_parallel = 8;            ///< Requests at the same time.

  /// Told why a request is tried again, and when: `status 429 from 'https://...': trying again in 30.0 s`. May be
  /// empty.
  std::function<void(std::string_view)> on_retry;
};

/// Gives the value of an environment variable; an empty text when it is not set.
using EnvironmentLookup = std::function<std::string(const char* name)>;

/// Reads the settings from the environment, and the token file if no variable holds a token. InvalidArgument names a
/// variable with a value that cannot be meant.
Result<HubSettings> read_hub_settings(const EnvironmentLookup& environment);

}  // namespace willitrun
