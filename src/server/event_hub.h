#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "server/site.h"

namespace willitrun {

/// Hands events to everybody who listens. Any number of threads may use it; listeners are called on the publisher's
/// thread and must not block.
class EventHub {
 public:
  using Listener = std::function<void(const std::string& event)>;

  std::uint64_t listen(Listener listener);

  /// After this returns the listener is not called any more.
  void leave(std::uint64_t listener);

  void publish(const std::string& event);

 private:
  std::mutex mutex_;  ///< Guards what follows.
  std::uint64_t next_ = 0;
  std::map<std::uint64_t, Listener> listeners_;
};

/// What a `snapshot` event tells of the content that is current now.
std::string snapshot_event(const SiteContent& content);

/// Writes a server-sent event. `data` is one line.
std::string server_sent_event(std::string_view name, std::string_view data);

}  // namespace willitrun
