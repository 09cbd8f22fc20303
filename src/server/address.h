#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace willitrun {

/// What a request's target says, percent-decoding undone.
struct Address {
  std::vector<std::string> segments;  ///< Of the path. A decoded segment may hold a `/`; none is empty, `.` or `..`.
  bool ends_in_slash = false;
  std::vector<std::pair<std::string, std::string>> query;

  /// The value of a query parameter; an empty text when it is not there.
  std::string_view value(std::string_view name) const;
};

/// Longest target that is read.
constexpr std::size_t kMaxTargetBytes = 8 * 1024;

/// Reads a target. InvalidArgument for one that does not start with `/`, has a bad escape, a control character, bytes
/// that are not UTF-8, an empty or a dot segment, or a query parameter twice.
Result<Address> parse_address(std::string_view target);

/// Writes a text as one segment of a path, percent-encoded.
std::string encode_segment(std::string_view text);

/// Writes an address's path: `/`, the segments with `/` between them, and the last `/` where it has one.
std::string path_of(const Address& address);

}  // namespace willitrun
