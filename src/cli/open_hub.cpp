#include "cli/open_hub.h"

#include <fmt/format.h>

#include "hub/http_hub.h"
#include "hub/hub_settings.h"
#include "os/home.h"
#include "os/interrupt.h"

namespace willitrun {

Result<std::unique_ptr<Hub>> open_hub(const Session& session) {
  ASSIGN_OR_RETURN(HubSettings settings, read_hub_settings(environment_variable));
  if (settings.offline)
    return fail(Code::Unavailable, "the Hub may not be asked: HF_HUB_OFFLINE or TRANSFORMERS_OFFLINE is set");
  if (!session.quiet) settings.on_retry = [](std::string_view message) { fmt::print(stderr, "{}\n", message); };
  return make_http_hub(std::move(settings), stop_on_signals());
}

}  // namespace willitrun
