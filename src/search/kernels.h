#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace willitrun {

/// The inner loops of name search over folded text, in which every name ends with kNameEnd. Implementations give equal
/// answers; which one runs is chosen by what the processor can do. They read nothing outside the given text.
struct Kernel {
  std::string_view name;  ///< `portable` or `avx2`.

  /// Returns the position of the first `word` (at least one byte, none of them kNameEnd) in `text`, or npos.
  std::size_t (*find)(std::string_view text, std::string_view word);

  /// Returns how many names of `text` hold `word`. `text` begins at a name and ends after one's kNameEnd.
  std::uint64_t (*count_names)(std::string_view text, std::string_view word);
};

/// Returns all kernels that this processor can run, the fastest first; the portable one is always the last.
std::span<const Kernel> usable_kernels();

/// Returns the fastest usable kernel.
const Kernel& best_kernel();

/// Two different positions of a word (equal ones in a word of one byte) whose bytes are the rarest in model names.
/// Looking for both at once leaves few places where the whole word must be compared.
struct RarePair {
  std::size_t first = 0;
  std::size_t second = 0;
};
RarePair rare_pair(std::string_view word);

}  // namespace willitrun
