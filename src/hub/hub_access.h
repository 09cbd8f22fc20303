#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>

#include "hub/hub.h"
#include "hub/hub_settings.h"
#include "hub/mirror.h"
#include "hub/mirrored_hub.h"

namespace willitrun {

/// A Hub as commands use it: the client that the settings ask for (none in offline mode) behind a mirror, which also
/// takes over what the user's own cache holds.
class HubAccess {
 public:
  /// `cancelled` outlives the object. Nothing is asked, read or made before it is needed.
  HubAccess(const HubSettings& settings, const std::filesystem::path& mirror_root, std::uint64_t budget_bytes,
            const std::atomic<bool>& cancelled);
  HubAccess(const HubAccess&) = delete;
  HubAccess& operator=(const HubAccess&) = delete;

  Hub& hub() { return hub_; }
  Mirror& mirror() { return mirror_; }

 private:
  std::unique_ptr<Hub> client_;
  Mirror mirror_;
  MirroredHub hub_;
};

/// Fetches what Transformers reads of a model at a commit (files_to_fetch.h) into the mirror. `files` is the Hub's
/// list. Errors as Hub and Mirror::fetch; Corruption when the weight index is none.
Result<Snapshot> fetch_model(HubAccess& access, const RepoRef& model, std::span<const HubFile> files, bool remote_code,
                             const DownloadProgress& progress);

}  // namespace willitrun
