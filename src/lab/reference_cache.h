#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/result.h"
#include "verify/report.h"

namespace willitrun {

/// Everything that a reference run depends on: two runs with equal inputs give equal tokens.
struct ReferenceInputs {
  std::string model_identity;  ///< FoundModel::identity.
  std::string script;          ///< run.py, whole.
  std::string package_lock;
  std::string python;       ///< Version.
  std::string environment;  ///< What the script is given, canonical.
  bool remote_code = false;
};

/// Names the reference of these inputs: a SHA-256.
std::string digest_of(const ReferenceInputs& inputs);

/// A finished reference run.
struct Reference {
  RunReport report;              ///< Its `result` is set.
  std::filesystem::path logits;  ///< NumPy file, one row per token.
};

/// Keeps reference runs by the digest of their inputs: `<root>/<digest>/{report.jsonl,logits.npy}`. A folder appears
/// complete, by rename; several processes may use one cache. One that cannot be read counts as absent.
class ReferenceCache {
 public:
  explicit ReferenceCache(std::filesystem::path root) : root_(std::move(root)) {}

  std::optional<Reference> find(const std::string& digest) const;

  /// Moves the files of a finished run into the cache and returns it from there.
  Result<Reference> store(const std::string& digest, const std::filesystem::path& run_folder) const;

 private:
  std::filesystem::path root_;
};

/// Names of the files that a run leaves in its folder.
inline constexpr const char* kReportFile = "report.jsonl";
inline constexpr const char* kLogitsFile = "logits.npy";

}  // namespace willitrun
