#include "hub/cache_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/hex.h"
#include "base/text.h"
#include "hub/files_to_fetch.h"
#include "hub/hub_json.h"
#include "hub/hub_url.h"
#include "hub/repository_folder.h"
#include "os/file.h"

namespace willitrun {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMaxRefBytes = 4096;
constexpr std::uint64_t kMaxTreeBytes = 256 << 20;
constexpr std::uint64_t kMaxIndexBytes = 64 << 20;

template <class T>
Result<std::optional<T>> absent_if_not_found(Result<T> result) {
  if (result) return std::optional<T>(std::move(*result));
  if (result.error().code == Code::NotFound) return std::optional<T>();
  return fail(result.error());
}

/// The file that a snapshot's link leads to: the blob's name is its digest. Nothing for what is not such a link.
std::optional<HubFile> linked_file(const fs::path& link, const fs::path& snapshot) {
  std::error_code error;
  HubFile file = {.path = link.lexically_relative(snapshot).string()};
  const std::string etag = fs::read_symlink(link, error).filename().string();
  const auto size = size_of_file(link);
  if (error || !size || !is_safe_path(file.path)) return std::nullopt;
  file.size_bytes = *size;
  (is_lower_hex(etag, 64) ? file.lfs_sha256 : file.oid) = etag;
  return is_lower_hex(file.etag(), etag.size() == 64 ? 64 : 40) ? std::optional(file) : std::nullopt;
}

}  // namespace

Result<std::optional<std::string>> CacheFolder::commit(const RepoRef& repo) const {
  if (is_commit(repo.revision)) return repo.revision;
  const std::string revision = repo.revision.empty() ? "main" : repo.revision;
  if (root_.empty() || !is_safe_path(revision)) return std::nullopt;
  ASSIGN_OR_RETURN(const auto text,
                   absent_if_not_found(read_file(RepositoryFolder(root_, repo).ref(revision), kMaxRefBytes)));
  if (!text || !is_commit(trim(*text))) return std::nullopt;
  return std::string(trim(*text));
}

Result<std::optional<std::vector<HubFile>>> CacheFolder::files(const RepoRef& repo) const {
  if (root_.empty() || !is_commit(repo.revision)) return std::nullopt;
  const fs::path kept = RepositoryFolder(root_, repo).tree(repo.revision);
  ASSIGN_OR_RETURN(const auto text, absent_if_not_found(read_file(kept, kMaxTreeBytes)));
  if (!text || text->empty()) return files_of_snapshot(repo);  // Empty: see keep_answer in mirror.cpp.
  ASSIGN_OR_RETURN(auto files, parse_cached_tree(*text));
  return files;
}

Result<std::optional<std::vector<HubFile>>> CacheFolder::files_of_snapshot(const RepoRef& repo) const {
  const fs::path snapshot = RepositoryFolder(root_, repo).snapshot(repo.revision);
  std::vector<HubFile> files;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(snapshot, error), end; !error && entry != end; entry.increment(error))
    if (auto file = linked_file(entry->path(), snapshot)) files.push_back(std::move(*file));
  std::ranges::sort(files, {}, &HubFile::path);

  std::set<std::string> weights = {"model.safetensors"};
  if (const auto index = weight_index_of(files)) {
    ASSIGN_OR_RETURN(const auto text, read(repo, *index, kMaxIndexBytes));
    if (!text) return std::nullopt;
    ASSIGN_OR_RETURN(weights, shards_of_index(*text));
  }
  const auto is_here = [&](const std::string& name) {
    return std::ranges::find(files, name, &HubFile::path) != files.end();
  };
  if (weights.empty() || !std::ranges::all_of(weights, is_here)) return std::nullopt;
  return files;
}

std::optional<fs::path> CacheFolder::path_of(const RepoRef& repo, std::string_view path) const {
  if (root_.empty() || !is_commit(repo.revision) || !is_safe_path(path)) return std::nullopt;
  return RepositoryFolder(root_, repo).snapshot(repo.revision) / path;
}

Result<std::optional<std::string>> CacheFolder::read(const RepoRef& repo, std::string_view path,
                                                     std::uint64_t max_bytes) const {
  const auto file = path_of(repo, path);
  if (!file) return std::nullopt;
  return absent_if_not_found(read_file(*file, max_bytes));
}

Result<std::optional<std::string>> CacheFolder::read_range(const RepoRef& repo, const FileRange& range) const {
  const auto file = path_of(repo, range.path);
  if (!file) return std::nullopt;
  return absent_if_not_found(read_file_range(*file, range.offset, range.count));
}

}  // namespace willitrun
