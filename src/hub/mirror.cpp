#include "hub/mirror.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <map>
#include <thread>

#include "base/hex.h"
#include "base/text.h"
#include "hub/file_body.h"
#include "hub/hub_json.h"
#include "hub/hub_url.h"
#include "os/file.h"
#include "os/rebuildable_file.h"
#include "os/temporary_file.h"

namespace willitrun {
namespace {

/// Records that a snapshot is used now. The time is set by hand: the one that the kernel gives to new files stands
/// still for some milliseconds, and two uses in that time would be a tie.
Status note_use(const RepositoryFolder& repository, std::string_view sha) {
  const std::filesystem::path mark = repository.last_use(sha);
  RETURN_IF_ERROR(write_file_atomically(mark, ""));
  std::error_code error;
  std::filesystem::last_write_time(mark, std::filesystem::file_time_type::clock::now(), error);
  if (error) return fail(Code::Io, "cannot date '" + mark.string() + "': " + error.message());
  return {};
}

/// Keeps what the Hub said and can say again: nobody waits for the disk. After a power cut the file may be empty, which
/// readers take for missing.
Status keep_answer(const std::filesystem::path& path, std::string_view text) {
  RETURN_IF_ERROR(write_rebuildable_file(path, text));
  remove_abandoned_temporaries(path);
  return {};
}

namespace fs = std::filesystem;

constexpr std::uint64_t kMaxInfoBytes = 16 << 20;
constexpr auto kLockPause = std::chrono::milliseconds(50);

/// Paths become links and digests become file names, so both are checked whoever listed them.
Status check_files(const RepoRef& repo, std::span<const HubFile> files) {
  if (!is_hub_id(repo.id) || !is_commit(repo.revision))
    return fail(Code::InvalidArgument, fmt::format("'{}@{}' is not a repository at a commit", repo.id, repo.revision));
  for (const HubFile& file : files) {
    if (!is_safe_path(file.path))
      return fail(Code::InvalidArgument, fmt::format("a file of '{}' has an unsafe path", repo.id));
    if (!is_lower_hex(file.etag(), file.lfs_sha256.empty() ? 40 : 64))
      return fail(Code::InvalidArgument, fmt::format("'{}' of '{}' has no proper digest", file.path, repo.id));
  }
  return {};
}

bool has_size(const fs::path& path, std::uint64_t size_bytes) {
  const auto size = size_of_file(path);
  return size && *size == size_bytes;
}

/// The contents that are not here yet, each once, in the order of their names.
std::vector<HubFile> missing_blobs(const RepositoryFolder& repository, std::span<const HubFile> files) {
  std::map<std::string, HubFile> missing;
  for (const HubFile& file : files)
    if (!has_size(repository.blob(file.etag()), file.size_bytes)) missing.emplace(file.etag(), file);
  std::vector<HubFile> blobs;
  for (auto& [etag, file] : missing) blobs.push_back(std::move(file));
  return blobs;
}

/// Takes a blob of the user's cache over, if it is there and whole. A hard link costs no space and stays when the user
/// clears the cache; a symbolic link would break then, and in a sandbox that sees only the mirror. Where no hard link
/// can be (another file system) it is copied. Returns whether the blob is there now.
Result<bool> take_over(const fs::path& theirs, const fs::path& ours, const HubFile& file) {
  if (!has_size(theirs, file.size_bytes)) return false;
  ASSIGN_OR_RETURN(const bool is_whole, has_listed_digest(theirs, file));
  if (!is_whole) return false;
  const fs::path unfinished = ours.string() + ".incomplete";
  RETURN_IF_ERROR(remove_tree(unfinished));
  std::error_code error;
  fs::create_hard_link(fs::canonical(theirs, error), unfinished, error);
  if (error) {
    error.clear();
    fs::copy_file(theirs, unfinished, error);
    errno = error.value();
    if (error) return fail(errno_error("cannot copy", theirs));
  }
  RETURN_IF_ERROR(publish_file(unfinished, ours));
  return true;
}

/// Links a snapshot's path to its blob. A commit's path never changes its content, so a link that is there is right,
/// unless something else made it.
Status link_file(const RepositoryFolder& repository, std::string_view sha, const HubFile& file) {
  const fs::path link = repository.snapshot(sha) / file.path;
  fs::path target = "../..";
  for (std::size_t i = 1; i < split(file.path, '/').size(); ++i) target /= "..";
  target = target / "blobs" / file.etag();
  std::error_code error;
  if (fs::read_symlink(link, error) == target) return {};
  RETURN_IF_ERROR(make_folder(link.parent_path()));
  RETURN_IF_ERROR(remove_tree(link));
  fs::create_symlink(target, link, error);
  if (error && error != std::errc::file_exists)  // Another process was faster, with the same link.
    return fail(Code::Io, fmt::format("cannot link '{}': {}", link.string(), error.message()));
  return {};
}

/// Asks our folder, and the user's when ours has nothing.
template <class Ask>
auto first_that_has(const CacheFolder& ours, const CacheFolder& users, const Ask& ask) {
  auto answer = ask(ours);
  return answer && !*answer ? ask(users) : answer;
}

}  // namespace

Mirror::Mirror(fs::path root, MirrorSettings settings, const std::atomic<bool>& cancelled)
    : root_(std::move(root)),
      settings_(std::move(settings)),
      ours_(root_),
      users_(settings_.user_cache),
      cancelled_(cancelled) {}

Result<Snapshot> Mirror::fetch(Hub& hub, const RepoRef& repo, std::span<const HubFile> files,
                               const DownloadProgress& progress) {
  RETURN_IF_ERROR(check_files(repo, files));
  const RepositoryFolder repository(root_, repo);
  ASSIGN_OR_RETURN(FileLock in_use, FileLock::acquire_shared(repository.in_use_lock()));
  {
    ASSIGN_OR_RETURN(const auto locks, lock_blobs(repository, missing_blobs(repository, files)));
    // Looked up again under the locks: another process may have fetched them meanwhile.
    RETURN_IF_ERROR(fetch_blobs(hub, repo, missing_blobs(repository, files), progress));
  }
  for (const HubFile& file : files) RETURN_IF_ERROR(link_file(repository, repo.revision, file));
  RETURN_IF_ERROR(note_use(repository, repo.revision));
  return Snapshot(repository, repo.revision, std::move(in_use));
}

/// Locks in the order of names, so that two processes never wait for each other.
Result<std::vector<FileLock>> Mirror::lock_blobs(const RepositoryFolder& repository,
                                                 std::span<const HubFile> blobs) const {
  std::vector<FileLock> locks;
  for (const HubFile& blob : blobs) {
    for (;;) {
      ASSIGN_OR_RETURN(auto lock, FileLock::try_acquire(repository.blob_lock(blob.etag())));
      if (lock) {
        locks.push_back(std::move(*lock));
        break;
      }
      if (cancelled_) return fail(Code::Cancelled, "interrupted while another process fetches the same model");
      std::this_thread::sleep_for(kLockPause);
    }
  }
  return locks;
}

Status Mirror::fetch_blobs(Hub& hub, const RepoRef& repo, std::span<const HubFile> blobs,
                           const DownloadProgress& progress) {
  const RepositoryFolder repository(root_, repo);
  const RepositoryFolder users(settings_.user_cache, repo);
  std::vector<Download> downloads;
  std::uint64_t bytes = 0;
  for (const HubFile& file : blobs) {
    bool is_here = false;
    if (!settings_.user_cache.empty()) {
      RETURN_IF_ERROR(make_folder(repository.blobs()));
      ASSIGN_OR_RETURN(is_here, take_over(users.blob(file.etag()), repository.blob(file.etag()), file));
    }
    if (is_here) continue;
    downloads.push_back({file, repository.unfinished_blob(file.etag())});
    bytes += file.size_bytes;
  }
  if (downloads.empty()) return {};
  RETURN_IF_ERROR(make_room(bytes));
  RETURN_IF_ERROR(hub.download(repo, downloads, progress));
  for (const Download& download : downloads)
    RETURN_IF_ERROR(publish_file(download.to, repository.blob(download.file.etag())));
  return {};
}

/// Evicts until `bytes` more fit the budget and the disk.
Status Mirror::make_room(std::uint64_t bytes) {
  RETURN_IF_ERROR(make_folder(root_));
  if (bytes > settings_.budget_bytes)
    return fail(Code::ResourceExhausted, fmt::format("{} are to be fetched, but the model mirror may hold only {}",
                                                     human_bytes(bytes), human_bytes(settings_.budget_bytes)));
  ASSIGN_OR_RETURN(const std::uint64_t held, evict_to(settings_.budget_bytes - bytes));
  if (held > settings_.budget_bytes - bytes)
    return fail(Code::ResourceExhausted,
                fmt::format("{} are to be fetched, but the model mirror may hold only {} and {} of it are in use",
                            human_bytes(bytes), human_bytes(settings_.budget_bytes), human_bytes(held)));
  std::error_code error;
  const auto free_bytes = [&] { return static_cast<std::uint64_t>(fs::space(root_, error).available); };
  std::uint64_t available = free_bytes();
  if (!error && available < bytes) {
    const std::uint64_t lacking = bytes - available;
    RETURN_IF_ERROR(evict_to(held > lacking ? held - lacking : 0));
    available = free_bytes();
  }
  if (error)
    return fail(Code::Io, fmt::format("cannot look at the space of '{}': {}", root_.string(), error.message()));
  if (available < bytes)
    return fail(Code::ResourceExhausted, fmt::format("{} are to be fetched, but only {} are free at '{}'",
                                                     human_bytes(bytes), human_bytes(available), root_.string()));
  return {};
}

Result<std::optional<Snapshot>> Mirror::find(const RepoRef& repo) {
  const RepositoryFolder repository(root_, repo);
  ASSIGN_OR_RETURN(const auto commit, ours_.commit(repo));
  std::error_code error;
  if (!commit || !fs::is_directory(repository.snapshot(*commit), error)) return std::nullopt;
  ASSIGN_OR_RETURN(FileLock in_use, FileLock::acquire_shared(repository.in_use_lock()));
  if (!fs::is_directory(repository.snapshot(*commit), error)) return std::nullopt;  // Evicted meanwhile.
  RETURN_IF_ERROR(note_use(repository, *commit));
  return Snapshot(repository, *commit, std::move(in_use));
}

Status Mirror::remember(const ModelRef& asked, const ModelInfo& info) {
  const RepositoryFolder repository(root_, repo_of(info));
  RETURN_IF_ERROR(keep_answer(repository.info(info.sha), to_json(info)));
  const std::string revision = asked.revision.empty() ? "main" : asked.revision;
  if (is_commit(revision) || !is_safe_path(revision)) return {};
  return keep_answer(repository.ref(revision), info.sha);
}

Status Mirror::remember(const RepoRef& repo, std::span<const HubFile> files) {
  return keep_answer(RepositoryFolder(root_, repo).tree(repo.revision), to_cached_tree(files));
}

Result<std::optional<ModelInfo>> Mirror::remembered_info(const ModelRef& model) const {
  const RepoRef repo = {RepoKind::Model, model.id, model.revision};
  ASSIGN_OR_RETURN(const auto known, commit(repo));
  if (!known) return std::nullopt;
  const auto text = read_file(RepositoryFolder(root_, repo).info(*known), kMaxInfoBytes);
  if (text && !text->empty()) return parse_model_info(*text);
  if (!text && text.error().code != Code::NotFound) return fail(text.error());
  const RepoRef pinned = {RepoKind::Model, model.id, *known};
  ASSIGN_OR_RETURN(const auto listed, files(pinned));
  if (!listed) return std::nullopt;
  return ModelInfo{.id = model.id, .sha = *known};
}

Result<std::optional<std::string>> Mirror::commit(const RepoRef& repo) const {
  return first_that_has(ours_, users_, [&](const CacheFolder& folder) { return folder.commit(repo); });
}

Result<std::optional<std::vector<HubFile>>> Mirror::files(const RepoRef& repo) const {
  return first_that_has(ours_, users_, [&](const CacheFolder& folder) { return folder.files(repo); });
}

Result<std::optional<std::string>> Mirror::read(const RepoRef& repo, std::string_view path,
                                                std::uint64_t max_bytes) const {
  return first_that_has(ours_, users_, [&](const CacheFolder& folder) { return folder.read(repo, path, max_bytes); });
}

Result<std::optional<std::string>> Mirror::read_range(const RepoRef& repo, const FileRange& range) const {
  return first_that_has(ours_, users_, [&](const CacheFolder& folder) { return folder.read_range(repo, range); });
}

}  // namespace willitrun
