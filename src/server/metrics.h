#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "server/site.h"

namespace willitrun {

/// Figures of a running server, in Prometheus' words. Any number of threads may count.
class Metrics {
 public:
  /// Counts an answer. `route` is a pattern, never an address, so that there are few.
  void count(std::string_view route, int status, double seconds);

  void connection_opened() { ++open_; }
  void connection_closed() { --open_; }
  void connection_refused() { ++refused_; }
  std::int64_t num_open() const { return open_; }

  /// Writes all figures in the text format 0.0.4.
  std::string text(const SiteContent& content) const;

 private:
  struct Timings {
    std::array<std::uint64_t, 8> buckets{};  ///< Answers that took at most the limit of the same place.
    std::uint64_t count = 0;
    double sum_s = 0;
  };

  std::atomic<std::int64_t> open_ = 0;
  std::atomic<std::uint64_t> refused_ = 0;
  mutable std::mutex mutex_;  ///< Guards what follows.
  std::map<std::pair<std::string, int>, std::uint64_t> answers_;
  std::map<std::string, Timings, std::less<>> timings_;
};

}  // namespace willitrun
