#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace willitrun {

/// Returns `text` without ASCII white space at both ends.
std::string_view trim(std::string_view text);

/// Splits at every `separator`; empty parts are kept, so n separators give n + 1 parts.
std::vector<std::string_view> split(std::string_view text, char separator);

/// Returns `text` with ASCII letters in lower case; other bytes as they are.
std::string to_lower(std::string_view text);

/// Tells whether `pattern`, in which `*` stands for any characters, is all of `text`. Linear in practice: after a
/// mismatch only the last star is tried again.
bool matches_wildcard(std::string_view pattern, std::string_view text);

/// Joins the parts with `separator` between them.
std::string join(const std::vector<std::string>& parts, std::string_view separator);

/// Reads a whole non-negative decimal number; nothing when a character is left over or it does not fit.
std::optional<std::uint64_t> parse_uint(std::string_view text);

/// Writes a byte count for people, with binary units and three significant digits: `1.11 GiB`.
std::string human_bytes(std::uint64_t bytes);

/// Writes a duration for people: `0.42 s`, `12.3 s`, `2 min 05 s`.
std::string human_seconds(double seconds);

/// Tells whether `text` is well-formed UTF-8 (no overlong forms, no surrogates, at most U+10FFFF).
bool is_utf8(std::string_view text);

/// Returns `text` with every byte that is not part of well-formed UTF-8 replaced by U+FFFD.
std::string to_valid_utf8(std::string_view text);

}  // namespace willitrun
