#include "hub/repository_folder.h"

#include <fmt/format.h>

#include "base/text.h"

namespace willitrun {
namespace {

constexpr std::string_view kOurs = ".willitrun";

std::string folder_name(const RepoRef& repo) {
  std::string name = repo.kind == RepoKind::Model ? "models" : "datasets";
  for (const std::string_view part : split(repo.id, '/')) name += fmt::format("--{}", part);
  return name;
}

}  // namespace

RepositoryFolder::RepositoryFolder(const std::filesystem::path& root, const RepoRef& repo)
    : RepositoryFolder(root, folder_name(repo)) {}

RepositoryFolder::RepositoryFolder(const std::filesystem::path& root, std::string name)
    : root_(root), name_(std::move(name)) {}

std::filesystem::path RepositoryFolder::unfinished_blob(std::string_view etag) const {
  return blobs() / fmt::format("{}.incomplete", etag);
}

std::filesystem::path RepositoryFolder::info(std::string_view sha) const {
  return path() / kOurs / fmt::format("{}.info.json", sha);
}

std::filesystem::path RepositoryFolder::tree(std::string_view sha) const {
  return path() / "trees" / fmt::format("{}.json", sha);
}

std::filesystem::path RepositoryFolder::last_use(std::string_view sha) const {
  return path() / kOurs / fmt::format("{}.used", sha);
}

std::filesystem::path RepositoryFolder::blob_lock(std::string_view etag) const {
  return root_ / ".locks" / name_ / fmt::format("{}.lock", etag);
}

std::filesystem::path RepositoryFolder::in_use_lock() const {
  return root_ / ".locks" / name_ / "willitrun-in-use.lock";
}

}  // namespace willitrun
