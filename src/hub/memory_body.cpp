#include "hub/memory_body.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace willitrun {
namespace {

/// Memory that is taken before the bytes are there. A length is only a promise.
constexpr std::uint64_t kMaxReserved = 16 << 20;

}  // namespace

Status WholeBody::begin(const HttpAnswer& answer) {
  bytes_.clear();
  bytes_.reserve(std::min({max_bytes_, kMaxReserved, parse_uint(answer.header("content-length")).value_or(0)}));
  return {};
}

Result<bool> WholeBody::append(std::string_view bytes) {
  if (bytes.size() > max_bytes_ - bytes_.size())
    return fail(Code::ResourceExhausted, fmt::format("the answer is larger than {} bytes", max_bytes_));
  bytes_ += bytes;
  return true;
}

std::vector<std::string> RangeBody::request_headers() const {
  return {fmt::format("Range: bytes={}-{}", offset_, offset_ + std::max<std::uint64_t>(count_, 1) - 1)};
}

Status RangeBody::begin(const HttpAnswer& answer) {
  bytes_.clear();
  to_skip_ = answer.status == 206 ? 0 : offset_;
  if (answer.status == 206 && content_range_start(answer.header("content-range")) != offset_)
    return fail(Code::Corruption, fmt::format("the Hub answered '{}' when asked for bytes from {}",
                                              to_valid_utf8(answer.header("content-range")), offset_));
  return {};
}

Result<bool> RangeBody::append(std::string_view bytes) {
  const std::uint64_t skipped = std::min<std::uint64_t>(to_skip_, bytes.size());
  to_skip_ -= skipped;
  bytes.remove_prefix(skipped);
  if (bytes_.empty()) bytes_.reserve(std::min(count_, kMaxReserved));
  const std::uint64_t wanted = count_ - bytes_.size();
  bytes_ += bytes.substr(0, wanted);
  return bytes.size() <= wanted;
}

std::optional<std::uint64_t> content_range_start(std::string_view header) {
  if (!header.starts_with("bytes ")) return std::nullopt;
  header.remove_prefix(6);
  const auto dash = header.find('-');
  return dash == std::string_view::npos ? std::nullopt : parse_uint(header.substr(0, dash));
}

}  // namespace willitrun
