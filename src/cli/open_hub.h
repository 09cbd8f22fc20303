#pragma once

#include <memory>

#include "base/result.h"
#include "cli/command.h"
#include "hub/hub.h"

namespace willitrun {

/// Makes a client of the Hub that the environment names (HF_ENDPOINT, HF_TOKEN, ...). Retries are told on standard
/// error, unless the session is quiet; Ctrl-C ends every call with Cancelled. Unavailable in offline mode.
Result<std::unique_ptr<Hub>> open_hub(const Session& session);

}  // namespace willitrun
