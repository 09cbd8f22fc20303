#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace willitrun {

/// Keeps the beginning and the end of an output that may be endless, within a cap: what a failure report needs, without
/// the memory that a runaway program could fill.
class HeadTail {
 public:
  /// Keeps at most `cap_bytes`, half of it from each end. The note between the halves comes on top.
  explicit HeadTail(std::size_t cap_bytes) : half_(cap_bytes / 2) {}

  void add(std::string_view bytes);

  /// Returns head, a note of how much was left out (when something was), and tail.
  std::string text() const;

  std::uint64_t total_bytes() const { return total_; }

 private:
  std::size_t half_;
  std::string head_;
  std::string tail_;  ///< A ring once it is full; `tail_start_` is the oldest byte.
  std::size_t tail_start_ = 0;
  std::uint64_t total_ = 0;
};

}  // namespace willitrun
