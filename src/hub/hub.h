#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "domain/enum_text.h"
#include "domain/model_ref.h"

namespace willitrun {

/// Whether a repository asks its readers to agree to terms first, and who grants access.
enum class Gate { None, Auto, Manual };

constexpr auto enum_names(std::type_identity<Gate>) {
  return std::to_array<EnumName<Gate>>({{Gate::None, "none"}, {Gate::Auto, "auto"}, {Gate::Manual, "manual"}});
}

/// What the Hub says about a model. Texts and lists that the Hub leaves out are empty, counts 0.
struct ModelInfo {
  std::string id;
  std::string sha;           ///< Commit that the asked revision means; empty in list answers.
  std::string pipeline_tag;  ///< Task: `text-generation`, `image-text-to-text`, ...
  std::string library_name;
  Gate gated = Gate::None;
  bool is_private = false;
  bool is_local =
      false;  ///< True for a model of a local mirror (docs/formats/mirror.md): never published as the Hub's.
  std::int64_t downloads = 0;  ///< In the last 30 days.
  std::int64_t likes = 0;
  double trending_score = 0;
  std::vector<std::string> tags;
  std::optional<Time> created_at, last_modified;

  bool operator==(const ModelInfo&) const = default;
};

/// One file of a repository's tree at some commit.
struct HubFile {
  std::string path;  ///< Relative, as listed; see is_safe_path before making a local path of it.
  std::uint64_t size_bytes = 0;
  std::string oid;         ///< Git's object id: 40 hexadecimal digits.
  std::string lfs_sha256;  ///< Digest of the content for files kept in LFS; empty for files kept in git.

  /// Names the content: what the Hub sends as ETag and huggingface_hub uses as the blob's name.
  const std::string& etag() const { return lfs_sha256.empty() ? oid : lfs_sha256; }

  bool operator==(const HubFile&) const = default;
};

enum class RepoKind { Model, Dataset };

/// A repository at a revision. Everything but resolving wants a commit (40 hexadecimal digits) as the revision, so that
/// all files of one job come from the same state.
struct RepoRef {
  RepoKind kind = RepoKind::Model;
  std::string id;
  std::string revision;  ///< Branch, tag or commit; empty means `main`.

  bool operator==(const RepoRef&) const = default;
};

/// The repository of a model at the commit that `model.sha` names.
RepoRef repo_of(const ModelInfo& model);

enum class ModelSort { Downloads, Trending };

/// Which ranked list of models, and how much of it.
struct ModelQuery {
  std::string task;
  ModelSort sort = ModelSort::Downloads;
  int limit = 1000;
};

/// A piece of a file.
struct FileRange {
  std::string path;
  std::uint64_t offset = 0;
  std::uint64_t count = 0;
};

/// A file to fetch and where to put it.
struct Download {
  HubFile file;
  std::filesystem::path to;
};

/// Told from time to time how many more bytes of content have arrived or were found already there.
using DownloadProgress = std::function<void(std::uint64_t new_bytes)>;

/// Reads model and dataset repositories of a Hub. Tests replace it.
///
/// Error codes, the same for every function: NotFound: no such repository, revision or file (the message says which);
/// PermissionDenied: gated or private, or the token is not accepted; Timeout and Unavailable: the network or the Hub,
/// after all retries, or offline mode; ResourceExhausted: an answer larger than allowed, or a full disk; Corruption: an
/// answer that is not what the protocol says, or content whose hash is wrong; Cancelled: the user interrupted.
///
/// One thread at a time.
class Hub {
 public:
  virtual ~Hub() = default;

  virtual Result<ModelInfo> model_info(const ModelRef& model) = 0;

  /// Returns the commit that `repo.revision` means.
  virtual Result<std::string> resolve(const RepoRef& repo) = 0;

  /// Lists all files, sub-folders included, sorted by path. Corruption when a path is not safe.
  virtual Result<std::vector<HubFile>> list_files(const RepoRef& repo) = 0;

  /// Returns the first `query.limit` models of a ranked list, best first; fewer when the list is shorter.
  virtual Result<std::vector<ModelInfo>> list_models(const ModelQuery& query) = 0;

  /// Reads a whole file. ResourceExhausted when it is larger than `max_bytes`.
  virtual Result<std::string> read(const RepoRef& repo, std::string_view path, std::uint64_t max_bytes) = 0;

  /// Reads pieces of files at the same time; answers in the order of `ranges`. A piece is shorter only where its file
  /// ends.
  virtual std::vector<Result<std::string>> read_ranges(const RepoRef& repo, std::span<const FileRange> ranges) = 0;

  /// Fetches files at the same time. What an earlier try left at `to` is continued. Afterwards each file is complete,
  /// has the hash that its HubFile names, and is synced to disk; a file with a wrong hash is removed. Stops at the
  /// first error.
  virtual Status download(const RepoRef& repo, std::span<const Download> downloads,
                          const DownloadProgress& progress) = 0;
};

/// Tells whether a listed path may become a local path below some folder: relative, parts neither empty nor `.` nor
/// `..`, no NUL, backslash or control character, each part at most 255 bytes (NAME_MAX) and all at most 1024.
bool is_safe_path(std::string_view path);

/// Reads the beginning of safetensors files: the 8-byte length N and the N bytes of JSON after it.
///
/// Most files cost one read: the first 100 kB of a model in one file, the first 16 KiB of each of several shards, all
/// at the same time (bench/hub_headers.py); longer headers a second one. A length that lies (beyond the file's end or
/// above 100 MB, the format's limit) is not followed: then the answer holds what the first read brought, and the reader
/// of the header says what is wrong.
std::vector<Result<std::string>> read_safetensors_headers(Hub& hub, const RepoRef& repo,
                                                          std::span<const HubFile> files);

}  // namespace willitrun
