#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "hub/cache_folder.h"
#include "hub/hub.h"
#include "hub/repository_folder.h"
#include "os/file_lock.h"

namespace willitrun {

/// A revision whose files lie in the mirror. They stay while this object lives: eviction passes over it, in every
/// process.
class Snapshot {
 public:
  Snapshot(RepositoryFolder repository, std::string sha, FileLock in_use)
      : repository_(std::move(repository)), sha_(std::move(sha)), in_use_(std::move(in_use)) {}

  /// `models--<owner>--<name>`: what a sandbox binds read-only below its own HF_HUB_CACHE under the same name.
  std::filesystem::path repository() const { return repository_.path(); }

  /// The folder with the revision's files (links into the repository's blobs).
  std::filesystem::path folder() const { return repository_.snapshot(sha_); }

  const std::string& sha() const { return sha_; }

 private:
  RepositoryFolder repository_;
  std::string sha_;
  FileLock in_use_;
};

/// How much the mirror may hold and where else files may already lie.
struct MirrorSettings {
  std::uint64_t budget_bytes = UINT64_MAX;  ///< Least recently used snapshots go when a fetch would exceed it.
  std::filesystem::path user_cache;         ///< The user's HF_HUB_CACHE, only read; empty for none.
};

/// Keeps files of models and datasets on disk in the layout of huggingface_hub's cache, so that Transformers itself
/// reads them by id and revision with HF_HUB_CACHE and HF_HUB_OFFLINE=1. Layout, locks and what survives a crash:
/// docs/formats/model_mirror.md.
///
/// Any number of processes may use one mirror at once.
class Mirror {
 public:
  /// `cancelled` is looked at while waiting for another process; it outlives the mirror.
  Mirror(std::filesystem::path root, MirrorSettings settings, const std::atomic<bool>& cancelled);

  /// Makes `files` of a repository at a commit present: those of the user's cache are taken over, the rest is fetched
  /// from `hub`. InvalidArgument for an unsafe path or improper digest, before anything is fetched; ResourceExhausted
  /// when the files exceed the budget or the disk even after eviction. Errors of the hub come through as they are.
  Result<Snapshot> fetch(Hub& hub, const RepoRef& repo, std::span<const HubFile> files,
                         const DownloadProgress& progress);

  /// Returns the snapshot of a commit, if anything of it is here.
  Result<std::optional<Snapshot>> find(const RepoRef& repo);

  /// Keeps what the Hub said: the description of the model asked for, the list of files at a commit.
  Status remember(const ModelRef& asked, const ModelInfo& info);
  Status remember(const RepoRef& repo, std::span<const HubFile> files);

  /// Returns what was remembered; of a model that only the user's cache holds no more than id and commit.
  Result<std::optional<ModelInfo>> remembered_info(const ModelRef& model) const;

  // What is here, in the mirror or else in the user's cache; see CacheFolder.
  Result<std::optional<std::string>> commit(const RepoRef& repo) const;
  Result<std::optional<std::vector<HubFile>>> files(const RepoRef& repo) const;
  Result<std::optional<std::string>> read(const RepoRef& repo, std::string_view path, std::uint64_t max_bytes) const;
  Result<std::optional<std::string>> read_range(const RepoRef& repo, const FileRange& range) const;

  /// Removes least recently used snapshots, none in use, until the mirror holds at most `max_bytes` or nothing more can
  /// go. Returns what it then holds.
  Result<std::uint64_t> evict_to(std::uint64_t max_bytes);

  /// Bytes that the mirror holds of its own: files that the user's cache shares would stay on disk anyway and do not
  /// count.
  Result<std::uint64_t> held_bytes() const;

 private:
  Result<std::vector<FileLock>> lock_blobs(const RepositoryFolder& repository, std::span<const HubFile> blobs) const;
  Status make_room(std::uint64_t bytes);
  Status fetch_blobs(Hub& hub, const RepoRef& repo, std::span<const HubFile> blobs, const DownloadProgress& progress);
  Result<std::vector<RepositoryFolder>> repositories() const;

  std::filesystem::path root_;
  MirrorSettings settings_;
  CacheFolder ours_, users_;
  const std::atomic<bool>& cancelled_;
};

}  // namespace willitrun
