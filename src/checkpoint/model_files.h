#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace willitrun {

/// One file of a model: its path inside the repository or folder, and its size.
struct ModelFile {
  std::string name;
  std::uint64_t size_bytes = 0;
};

/// A part of a file to read.
struct WeightRange {
  std::string name;
  std::uint64_t offset = 0;
  std::uint64_t count = 0;
};

/// Where the files of one model come from: a local folder, the Hub, a mirror, a test. Errors keep their meaning:
/// NotFound, PermissionDenied (gated), Unavailable and Timeout (network).
class ModelFiles {
 public:
  virtual ~ModelFiles() = default;

  /// Lists all files with their sizes, sorted by name.
  virtual Result<std::vector<ModelFile>> list() = 0;

  /// Reads a whole small file.
  virtual Result<std::string> read(const std::string& name) = 0;

  /// Reads several ranges, at the same time where that saves waiting; answers in the order asked.
  virtual Result<std::vector<std::string>> read_ranges(std::span<const WeightRange> ranges) = 0;
};

}  // namespace willitrun
