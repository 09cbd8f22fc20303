#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "domain/failure.h"

namespace willitrun {

/// Replaces what differs between two runs that fail alike: paths and URLs, addresses, digests, versions, sizes, dates
/// and ranks. `shape '[1, 5, -1, 64]' is invalid` becomes `shape '[<n>, <n>, -<n>, <n>]' is invalid`. Digits inside a
/// word (`float16`, `NCC_EVRF009`) stay. At most 120 bytes.
std::string normalise(std::string_view text);

/// Makes a failure of a class of the vocabulary; the signature is the class and each detail, normalised, with `:`
/// between them.
Failure make_failure(std::string_view failure_class, const std::vector<std::string>& details, std::string message);

/// Returns `log` without the escape sequences that colour a terminal, move its cursor or name its window.
std::string without_terminal_codes(std::string_view log);

/// Returns a log line as people want to read it: without the time, process and rank that loggers put before it, at most
/// 500 bytes of valid UTF-8.
std::string message_of(std::string_view line);

}  // namespace willitrun
