#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "domain/failure.h"

namespace willitrun {

/// Follows the report of a running script: its marks are the heartbeat of an attempt.
class ReportWatch {
 public:
  explicit ReportWatch(std::filesystem::path report) : report_(std::move(report)) {}

  /// What came since the last look.
  struct News {
    bool grew = false;  ///< Anything at all was written.
    std::uint64_t size_bytes = 0;
    std::vector<Mark> entered;  ///< New marks, in order: all that the slowest rank has reached.
  };

  /// Looks at the file. A report that cannot be read yet, or not any more, brings no news.
  News look();

 private:
  std::filesystem::path report_;
  std::uint64_t seen_bytes_ = 0;
  std::vector<Mark> known_;
};

}  // namespace willitrun
