#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "hub/hub.h"

namespace willitrun {

/// Reads a folder of huggingface_hub's cache layout (docs/formats/model_mirror.md): our mirror, or the user's own
/// cache. Asks no network. An answer that holds nothing means that it is not here.
class CacheFolder {
 public:
  /// An empty path is a folder that holds nothing.
  explicit CacheFolder(std::filesystem::path root) : root_(std::move(root)) {}

  const std::filesystem::path& root() const { return root_; }

  /// Returns the commit that a branch or tag meant when it was last asked for; a commit means itself.
  Result<std::optional<std::string>> commit(const RepoRef& repo) const;

  /// Returns the list of files at a commit. Without a kept list, that of a snapshot whose weights are complete: of any
  /// other nobody could tell whether the repository or only the cache lacks a file.
  Result<std::optional<std::vector<HubFile>>> files(const RepoRef& repo) const;

  /// Reads a file at a commit. ResourceExhausted when it is larger than `max_bytes`.
  Result<std::optional<std::string>> read(const RepoRef& repo, std::string_view path, std::uint64_t max_bytes) const;

  /// Reads a piece of a file at a commit.
  Result<std::optional<std::string>> read_range(const RepoRef& repo, const FileRange& range) const;

 private:
  std::optional<std::filesystem::path> path_of(const RepoRef& repo, std::string_view path) const;
  Result<std::optional<std::vector<HubFile>>> files_of_snapshot(const RepoRef& repo) const;

  std::filesystem::path root_;
};

}  // namespace willitrun
