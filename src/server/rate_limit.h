#pragma once

#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace willitrun {

/// Lets each caller do something a number of times at once and then at a steady pace: a bucket of tokens that fills
/// slowly. Any number of threads may ask.
class RateLimit {
 public:
  RateLimit(double burst, double per_second) : burst_(burst), per_second_(per_second) {}

  /// Takes a token of the caller; false when there is none left. `now_s` never goes back.
  bool allow(std::string_view caller, double now_s);

 private:
  struct Bucket {
    double tokens = 0;
    double filled_at_s = 0;
  };

  double refilled(const Bucket& bucket, double now_s) const;

  const double burst_;
  const double per_second_;
  std::mutex mutex_;  ///< Guards the buckets.
  std::map<std::string, Bucket, std::less<>> buckets_;
};

}  // namespace willitrun
