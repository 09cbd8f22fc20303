#include "hub/hub_access.h"

#include "hub/files_to_fetch.h"
#include "hub/http_hub.h"

namespace willitrun {
namespace {

constexpr std::uint64_t kMaxIndexBytes = 64 << 20;

}  // namespace

HubAccess::HubAccess(const HubSettings& settings, const std::filesystem::path& mirror_root, std::uint64_t budget_bytes,
                     const std::atomic<bool>& cancelled)
    : client_(settings.offline ? nullptr : make_http_hub(settings, cancelled)),
      mirror_(mirror_root, {.budget_bytes = budget_bytes, .user_cache = settings.cache}, cancelled),
      hub_(mirror_, client_.get()) {}

Result<Snapshot> fetch_model(HubAccess& access, const RepoRef& model, std::span<const HubFile> files, bool remote_code,
                             const DownloadProgress& progress) {
  FetchOptions options = {.remote_code = remote_code, .indexed_shards = std::nullopt};
  if (const auto index = weight_index_of(files)) {
    ASSIGN_OR_RETURN(const std::string text, access.hub().read(model, *index, kMaxIndexBytes));
    ASSIGN_OR_RETURN(options.indexed_shards, shards_of_index(text));
  }
  return access.mirror().fetch(access.hub(), model, files_to_fetch(files, options), progress);
}

}  // namespace willitrun
