#include "server/rate_limit.h"

#include <algorithm>

namespace willitrun {
namespace {

/// Above this, callers whose bucket is full again are forgotten.
constexpr std::size_t kManyCallers = 1000;

}  // namespace

double RateLimit::refilled(const Bucket& bucket, double now_s) const {
  return std::min(burst_, bucket.tokens + (now_s - bucket.filled_at_s) * per_second_);
}

bool RateLimit::allow(std::string_view caller, double now_s) {
  const std::lock_guard lock(mutex_);
  if (buckets_.size() > kManyCallers)
    std::erase_if(buckets_, [&](const auto& item) { return refilled(item.second, now_s) >= burst_; });
  Bucket& bucket = buckets_.try_emplace(std::string(caller), Bucket{burst_, now_s}).first->second;
  bucket = {refilled(bucket, now_s), now_s};
  if (bucket.tokens < 1) return false;
  bucket.tokens -= 1;
  return true;
}

}  // namespace willitrun
