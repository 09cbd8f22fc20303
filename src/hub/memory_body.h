#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hub/http_client.h"

namespace willitrun {

/// Keeps a whole answer of at most `max_bytes` in memory.
class WholeBody : public HttpBody {
 public:
  explicit WholeBody(std::uint64_t max_bytes) : max_bytes_(max_bytes) {}

  Status begin(const HttpAnswer& answer) override;
  Result<bool> append(std::string_view bytes) override;

  std::string& bytes() { return bytes_; }

 private:
  std::uint64_t max_bytes_;
  std::string bytes_;
};

/// Keeps `count` bytes from `offset`, also from a server that ignores ranges and sends the whole file: what comes
/// before is dropped, and the connection is cut after the piece.
class RangeBody : public HttpBody {
 public:
  RangeBody(std::uint64_t offset, std::uint64_t count) : offset_(offset), count_(count) {}

  std::vector<std::string> request_headers() const override;
  Status begin(const HttpAnswer& answer) override;
  Result<bool> append(std::string_view bytes) override;

  std::string& bytes() { return bytes_; }

 private:
  std::uint64_t offset_;
  std::uint64_t count_;
  std::uint64_t to_skip_ = 0;
  std::string bytes_;
};

/// Reads the first position of a Content-Range header: 5 of `bytes 5-9/20`; nothing when it is none.
std::optional<std::uint64_t> content_range_start(std::string_view header);

}  // namespace willitrun
