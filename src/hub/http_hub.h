#pragma once

#include <atomic>
#include <memory>

#include "hub/hub.h"
#include "hub/hub_settings.h"

namespace willitrun {

/// Makes a client of the Hub that `settings` names. `cancelled` is looked at ten times a second; once it is true every
/// call ends with Cancelled. It must outlive the client.
std::unique_ptr<Hub> make_http_hub(HubSettings settings, const std::atomic<bool>& cancelled);

}  // namespace willitrun
