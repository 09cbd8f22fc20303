#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace willitrun {

/// Writes bytes as lower-case hexadecimal digits, two per byte.
std::string to_hex(std::span<const std::uint8_t> bytes);

/// Tells whether `text` is `length` lower-case hexadecimal digits.
bool is_lower_hex(std::string_view text, std::size_t length);

}  // namespace willitrun
