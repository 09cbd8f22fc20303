#pragma once

#include <string>
#include <string_view>

#include "domain/row.h"

namespace willitrun {

/// Forms of a row's fields for people. All are empty where the row has no value, and hold no control characters.

/// The verdict with what it stands on: `PASS tokens`, `FAIL compile: compiler_internal`, `EXCLUDED no safetensors`.
std::string result_text(const Row& row);

/// The same in the verdict's colour, on terminals.
std::string coloured_result(const Row& row);

/// `12.3 s`
std::string wall_text(const Row& row);

/// Peak device memory of the fullest core beside what it has: `5.61 of 24.0 GiB`.
std::string peak_text(const Row& row);

/// The day of the test.
std::string day_text(const Row& row);

/// A large count, shortened: `9.0M`.
std::string count_text(std::int64_t count);

/// Returns `text` fit for a terminal: well-formed UTF-8, control characters replaced by spaces.
std::string printable(std::string_view text);

}  // namespace willitrun
