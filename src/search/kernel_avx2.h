#pragma once

#include <cstdint>
#include <string_view>

namespace willitrun {

/// Tells whether the other functions of this header may be called: the program was built for x86-64 and the processor
/// has AVX2.
bool avx2_is_usable();

/// Kernel::find with AVX2.
std::size_t find_avx2(std::string_view text, std::string_view word);

/// Kernel::count_names with AVX2.
std::uint64_t count_names_avx2(std::string_view text, std::string_view word);

}  // namespace willitrun
