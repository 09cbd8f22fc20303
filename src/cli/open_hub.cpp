#include "cli/open_hub.h"

#include <fmt/format.h>

#include "hub/http_client.h"
#include "hub/http_hub.h"
#include "hub/hub_settings.h"
#include "os/home.h"
#include "os/interrupt.h"

namespace willitrun {
namespace {

std::unique_ptr<Hub> make_hub(const Session& session, HubSettings settings) {
  if (!session.quiet) settings.on_retry = [](std::string_view message) { fmt::print(stderr, "{}\n", message); };
  return make_http_hub(std::move(settings), stop_on_signals());
}

}  // namespace

Result<std::unique_ptr<Hub>> open_hub(const Session& session) {
  ASSIGN_OR_RETURN(HubSettings settings, read_hub_settings(environment_variable));
  if (settings.offline)
    return fail(Code::Unavailable, "the Hub may not be asked: HF_HUB_OFFLINE or TRANSFORMERS_OFFLINE is set");
  return make_hub(session, std::move(settings));
}

std::jthread start_hub_early() {
  const auto settings = read_hub_settings(environment_variable);
  return settings && !settings->offline ? std::jthread(load_http_library) : std::jthread();
}

ModelHub::ModelHub(const Home& home, MirrorSettings settings, std::unique_ptr<Hub> remote)
    : remote_(std::move(remote)),
      mirror_(home.models(), std::move(settings), stop_on_signals()),
      mirrored_(mirror_, remote_.get()) {}

Result<std::unique_ptr<ModelHub>> open_model_hub(const Session& session, std::uint64_t budget_bytes) {
  ASSIGN_OR_RETURN(const Home home, session.home());
  ASSIGN_OR_RETURN(HubSettings settings, read_hub_settings(environment_variable));
  MirrorSettings mirror{.budget_bytes = budget_bytes, .user_cache = settings.cache};
  std::unique_ptr<Hub> remote = settings.offline ? nullptr : make_hub(session, std::move(settings));
  return std::make_unique<ModelHub>(home, std::move(mirror), std::move(remote));
}

}  // namespace willitrun
