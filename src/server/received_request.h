#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/http_message.h"

namespace willitrun {

/// A request as the socket read it.
struct ReceivedRequest {
  std::string_view method;
  std::string target;
  std::string body;
  std::vector<std::pair<std::string_view, std::string_view>> headers;
  std::string client;        ///< Address of the peer.
  bool is_loopback = false;  ///< The peer is this machine: perhaps a proxy for somebody elsewhere.
};

/// Reads out of it what answers depend on. Of a header that comes twice the first counts.
Request request_of(ReceivedRequest received);

}  // namespace willitrun
