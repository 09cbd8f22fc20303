#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace willitrun {

/// A moment in UTC with the precision that rows and journals keep: milliseconds.
using Time = std::chrono::sys_time<std::chrono::milliseconds>;

/// Writes a moment as RFC 3339 in UTC with milliseconds: `2026-10-31T08:05:00.123Z`.
std::string to_text(Time time);

/// Reads what to_text writes, also without the fraction or with only the date; nothing for anything else.
std::optional<Time> parse_time(std::string_view text);

}  // namespace willitrun
