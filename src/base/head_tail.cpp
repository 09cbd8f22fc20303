#include "base/head_tail.h"

#include <fmt/format.h>

#include <algorithm>

namespace willitrun {

void HeadTail::add(std::string_view bytes) {
  total_ += bytes.size();
  const std::size_t to_head = std::min(bytes.size(), half_ - head_.size());
  head_ += bytes.substr(0, to_head);
  bytes.remove_prefix(to_head);
  if (bytes.size() > half_) bytes.remove_prefix(bytes.size() - half_);  // The rest would be overwritten at once.
  const std::size_t to_grow = std::min(bytes.size(), half_ - tail_.size());
  tail_ += bytes.substr(0, to_grow);
  bytes.remove_prefix(to_grow);
  for (const char byte : bytes) {
    tail_[tail_start_] = byte;
    tail_start_ = (tail_start_ + 1) % half_;
  }
}

std::string HeadTail::text() const {
  const std::uint64_t left_out = total_ - head_.size() - tail_.size();
  std::string text = head_;
  if (left_out > 0) text += fmt::format("\n[... {} bytes left out ...]\n", left_out);
  return text + tail_.substr(tail_start_) + tail_.substr(0, tail_start_);
}

}  // namespace willitrun
