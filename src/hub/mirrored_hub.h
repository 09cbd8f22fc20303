#pragma once

#include "hub/hub.h"
#include "hub/mirror.h"

namespace willitrun {

/// A Hub with a mirror before it: what cannot change (files and lists at a commit) is answered from the mirror when it
/// is there, everything else by the remote Hub, whose descriptions and lists the mirror keeps. Without a remote Hub
/// (offline mode) the mirror answers alone, and what it does not have is Unavailable.
class MirroredHub : public Hub {
 public:
  /// `remote` may be null. Both outlive this object.
  MirroredHub(Mirror& mirror, Hub* remote) : mirror_(mirror), remote_(remote) {}

  Result<ModelInfo> model_info(const ModelRef& model) override;
  Result<std::string> resolve(const RepoRef& repo) override;
  Result<std::vector<HubFile>> list_files(const RepoRef& repo) override;
  Result<std::vector<ModelInfo>> list_models(const ModelQuery& query) override;
  Result<std::string> read(const RepoRef& repo, std::string_view path, std::uint64_t max_bytes) override;
  std::vector<Result<std::string>> read_ranges(const RepoRef& repo, std::span<const FileRange> ranges) override;
  Status download(const RepoRef& repo, std::span<const Download> downloads, const DownloadProgress& progress) override;

 private:
  Mirror& mirror_;
  Hub* remote_;
};

}  // namespace willitrun
