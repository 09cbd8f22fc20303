#pragma once

#include <cstdint>
#include <string_view>

namespace willitrun {

/// Kernel::find for any processor.
std::size_t find_portable(std::string_view text, std::string_view word);

/// Kernel::count_names for any processor.
std::uint64_t count_names_portable(std::string_view text, std::string_view word);

}  // namespace willitrun
