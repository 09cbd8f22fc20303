#pragma once

#include <cstdint>
#include <memory>
#include <thread>

#include "base/result.h"
#include "cli/command.h"
#include "hub/hub.h"
#include "hub/mirrored_hub.h"

namespace willitrun {

/// Makes a client of the Hub that the environment names (HF_ENDPOINT, HF_TOKEN, ...). Retries are told on standard
/// error, unless the session is quiet; Ctrl-C ends every call with Cancelled. Unavailable in offline mode.
Result<std::unique_ptr<Hub>> open_hub(const Session& session);

/// Loads what the Hub's client needs on a thread of its own, if the environment lets the Hub be asked. Ends by itself.
std::jthread start_hub_early();

/// Models as a home sees them: its mirror first, then the Hub; the mirror alone in offline mode.
class ModelHub {
 public:
  /// `remote` is null in offline mode.
  ModelHub(const Home& home, MirrorSettings settings, std::unique_ptr<Hub> remote);
  ModelHub(const ModelHub&) = delete;
  ModelHub& operator=(const ModelHub&) = delete;

  Hub& hub() { return mirrored_; }
  Mirror& mirror() { return mirror_; }

 private:
  std::unique_ptr<Hub> remote_;
  Mirror mirror_;
  MirroredHub mirrored_;
};

/// Opens the session's home and the Hub behind it. `budget_bytes`: how much the mirror may hold.
Result<std::unique_ptr<ModelHub>> open_model_hub(const Session& session, std::uint64_t budget_bytes = UINT64_MAX);

}  // namespace willitrun
