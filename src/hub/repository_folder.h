#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "hub/hub.h"

namespace willitrun {

/// Where the parts of one repository lie below a cache folder of huggingface_hub's layout
/// (docs/formats/model_mirror.md).
class RepositoryFolder {
 public:
  RepositoryFolder(const std::filesystem::path& root, const RepoRef& repo);

  /// The repository whose folder in `root` has this name.
  RepositoryFolder(const std::filesystem::path& root, std::string name);

  const std::string& name() const { return name_; }  ///< `models--<owner>--<name>`
  std::filesystem::path path() const { return root_ / name_; }
  std::filesystem::path blobs() const { return path() / "blobs"; }
  std::filesystem::path blob(std::string_view etag) const { return blobs() / etag; }
  std::filesystem::path unfinished_blob(std::string_view etag) const;
  std::filesystem::path snapshots() const { return path() / "snapshots"; }
  std::filesystem::path snapshot(std::string_view sha) const { return snapshots() / sha; }
  std::filesystem::path ref(std::string_view revision) const { return path() / "refs" / revision; }

  // Ours, beside huggingface_hub's.
  std::filesystem::path info(std::string_view sha) const;      ///< What the Hub said about the model.
  std::filesystem::path tree(std::string_view sha) const;      ///< The list of files.
  std::filesystem::path last_use(std::string_view sha) const;  ///< An empty file whose time is that of the last use.

  // Locks lie outside, so that they outlive the folder. The blobs' are huggingface_hub's own.
  std::filesystem::path blob_lock(std::string_view etag) const;
  std::filesystem::path in_use_lock() const;  ///< Shared by those who read or fetch, exclusive for who removes.

 private:
  std::filesystem::path root_;
  std::string name_;
};

}  // namespace willitrun
