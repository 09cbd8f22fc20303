#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "hub/hub.h"
#include "os/file_lock.h"

namespace willitrun {

/// A revision whose files lie in the mirror. They stay while this object lives: eviction passes over it, in every
/// process.
class Snapshot {
 public:
  Snapshot(std::filesystem::path repository, std::string sha, FileLock in_use);

  /// `models--<owner>--<name>`: what a sandbox binds read-only below its own HF_HUB_CACHE under the same name.
  const std::filesystem::path& repository() const { return repository_; }

  /// The folder with the revision's files (links into the repository's blobs).
  std::filesystem::path folder() const { return repository_ / "snapshots" / sha_; }

  const std::string& sha() const { return sha_; }

 private:
  std::filesystem::path repository_;
  std::string sha_;
  FileLock in_use_;
};

/// How much the mirror may hold and where else files may already lie.
struct MirrorSettings {
  std::uint64_t budget_bytes = UINT64_MAX;  ///< Least recently used snapshots go when a fetch would exceed it.
  std::filesystem::path user_cache;         ///< The user's HF_HUB_CACHE, only read; empty for none.
};

/// Keeps model files on disk in the layout of huggingface_hub's cache, so that Transformers itself can read them by id
/// and revision with HF_HUB_CACHE and HF_HUB_OFFLINE=1. Layout and what survives a crash: docs/formats/model_mirror.md.
///
/// Several processes may use one mirror at once.
class Mirror {
 public:
  Mirror(std::filesystem::path root, MirrorSettings settings);

  const std::filesystem::path& root() const { return root_; }

  /// Makes `files` of the model at `model.sha` present: those of the user's cache are taken over, the rest is fetched
  /// from `hub`. ResourceExhausted when they exceed the budget even after eviction. Errors of the hub come through as
  /// they are.
  Result<Snapshot> fetch(Hub& hub, const ModelInfo& model, std::span<const HubFile> files,
                         const DownloadProgress& progress);

  /// Returns the snapshot of a model at a commit, if anything of it is here.
  Result<std::optional<Snapshot>> find(const RepoRef& repo);

  /// Keeps what the Hub said about a revision, for offline use.
  Status remember(const ModelInfo& model);
  Status remember(const RepoRef& repo, std::span<const HubFile> files);

  /// Returns what was remembered; `model.revision` may be a branch or a commit.
  Result<std::optional<ModelInfo>> remembered_info(const ModelRef& model) const;
  Result<std::optional<std::vector<HubFile>>> remembered_files(const RepoRef& repo) const;

  /// Removes least recently used snapshots, none in use, until the mirror holds at most `max_bytes`.
  Status evict_to(std::uint64_t max_bytes);

  /// Bytes that the mirror holds of its own (files shared with the user's cache not counted).
  Result<std::uint64_t> held_bytes() const;

 private:
  std::filesystem::path root_;
  MirrorSettings settings_;
};

}  // namespace willitrun
