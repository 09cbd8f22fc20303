#include "server/event_hub.h"

#include <fmt/format.h>

namespace willitrun {

std::uint64_t EventHub::listen(Listener listener) {
  const std::lock_guard lock(mutex_);
  listeners_.emplace(next_, std::move(listener));
  return next_++;
}

void EventHub::leave(std::uint64_t listener) {
  const std::lock_guard lock(mutex_);
  listeners_.erase(listener);
}

void EventHub::publish(const std::string& event) {
  const std::lock_guard lock(mutex_);
  for (const auto& [number, listener] : listeners_) listener(event);
}

std::string snapshot_event(const SiteContent& content) {
  return fmt::format(R"({{"models":{},"results":{}}})", content.snapshot->num_models(), content.snapshot->num_cells());
}

std::string server_sent_event(std::string_view name, std::string_view data) {
  return fmt::format("event: {}\ndata: {}\n\n", name, data);
}

}  // namespace willitrun
