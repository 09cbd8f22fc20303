// Which snapshots go when the mirror is too full: the least recently used first, as a whole, never one of a repository
// that some process reads or fetches (its in-use lock is then shared and cannot be had exclusively). While a repository
// is locked, blobs that no snapshot links to go as well: they are left over from a process that was killed, or from a
// removed snapshot. The order (links first, then blobs) means that a crash leaves blobs without links, never links
// without blobs.

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "hub/mirror.h"
#include "os/file.h"

namespace willitrun {
namespace {

namespace fs = std::filesystem;

/// A snapshot that may go. `sha` is empty for blobs that belong to none.
struct Candidate {
  RepositoryFolder repository;
  std::string sha;
  fs::file_time_type last_use;
};

/// The names in a folder; none when there is no folder.
Result<std::vector<std::string>> names_in(const fs::path& folder) {
  auto names = list_folder(folder);
  if (!names && names.error().code == Code::NotFound) return std::vector<std::string>();
  return names;
}

fs::file_time_type time_of(const fs::path& path, const fs::path& otherwise) {
  std::error_code error;
  auto time = fs::last_write_time(path, error);
  if (error) time = fs::last_write_time(otherwise, error);
  return error ? fs::file_time_type::min() : time;
}

/// The bytes of a blob that would be freed with it: none when the user's cache shares it.
std::uint64_t own_bytes(const fs::path& blob) {
  std::error_code error;
  const auto links = fs::hard_link_count(blob, error);
  const auto size = fs::file_size(blob, error);
  return error || links > 1 ? 0 : size;
}

Result<std::uint64_t> own_bytes_of(const RepositoryFolder& repository) {
  ASSIGN_OR_RETURN(const auto blobs, names_in(repository.blobs()));
  std::uint64_t bytes = 0;
  for (const std::string& blob : blobs) bytes += own_bytes(repository.blob(blob));
  return bytes;
}

/// The blobs that the links of all snapshots lead to.
Result<std::set<std::string>> linked_blobs(const RepositoryFolder& repository) {
  std::set<std::string> linked;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(repository.snapshots(), error), end; !error && entry != end;
       entry.increment(error))
    if (entry->is_symlink()) linked.insert(fs::read_symlink(entry->path(), error).filename().string());
  if (error && error != std::errc::no_such_file_or_directory)
    return fail(Code::Io, fmt::format("cannot list '{}': {}", repository.snapshots().string(), error.message()));
  return linked;
}

/// Removes a candidate and the blobs that are then nobody's; nothing happens when the repository is in use.
Status remove_unless_in_use(const Candidate& candidate) {
  const RepositoryFolder& repository = candidate.repository;
  ASSIGN_OR_RETURN(const auto lock, FileLock::try_acquire(repository.in_use_lock()));
  if (!lock) return {};
  if (!candidate.sha.empty()) {
    RETURN_IF_ERROR(remove_tree(repository.snapshot(candidate.sha)));
    RETURN_IF_ERROR(remove_tree(repository.last_use(candidate.sha)));
  }
  ASSIGN_OR_RETURN(const auto linked, linked_blobs(repository));
  ASSIGN_OR_RETURN(const auto blobs, names_in(repository.blobs()));
  for (const std::string& blob : blobs)
    if (!linked.contains(blob)) RETURN_IF_ERROR(remove_tree(repository.blob(blob)));
  return {};
}

Result<std::vector<Candidate>> candidates_of(const RepositoryFolder& repository) {
  std::vector<Candidate> candidates;
  ASSIGN_OR_RETURN(const auto snapshots, names_in(repository.snapshots()));
  for (const std::string& sha : snapshots)
    candidates.push_back({repository, sha, time_of(repository.last_use(sha), repository.snapshot(sha))});
  if (snapshots.empty()) candidates.push_back({repository, "", time_of(repository.blobs(), repository.path())});
  return candidates;
}

}  // namespace

Result<std::vector<RepositoryFolder>> Mirror::repositories() const {
  ASSIGN_OR_RETURN(const auto names, names_in(root_));
  std::vector<RepositoryFolder> repositories;
  for (const std::string& name : names)
    if (name.starts_with("models--") || name.starts_with("datasets--")) repositories.emplace_back(root_, name);
  return repositories;
}

Result<std::uint64_t> Mirror::held_bytes() const {
  ASSIGN_OR_RETURN(const auto all, repositories());
  std::uint64_t bytes = 0;
  for (const RepositoryFolder& repository : all) {
    ASSIGN_OR_RETURN(const std::uint64_t own, own_bytes_of(repository));
    bytes += own;
  }
  return bytes;
}

Result<std::uint64_t> Mirror::evict_to(std::uint64_t max_bytes) {
  ASSIGN_OR_RETURN(std::uint64_t held, held_bytes());
  if (held <= max_bytes) return held;
  ASSIGN_OR_RETURN(const auto all, repositories());
  std::vector<Candidate> candidates;
  for (const RepositoryFolder& repository : all) {
    ASSIGN_OR_RETURN(auto more, candidates_of(repository));
    std::ranges::move(more, std::back_inserter(candidates));
  }
  std::ranges::sort(candidates, {}, &Candidate::last_use);
  for (const Candidate& candidate : candidates) {
    if (held <= max_bytes) break;
    RETURN_IF_ERROR(remove_unless_in_use(candidate));
    ASSIGN_OR_RETURN(held, held_bytes());
  }
  return held;
}

}  // namespace willitrun
