// A query asks for one verdict or a few, over every cell: a pass over one byte per cell. SSE2, which every x86-64
// processor has, compares 16 of them at once; elsewhere, and for many codes, each place is looked up.
#include "lookup/code_bits.h"

#include <algorithm>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace willitrun {
namespace {

constexpr std::size_t kFewCodes = 6;  // of more, looking up is faster than comparing

#if defined(__SSE2__)

/// One word of bits: which of 64 codes are equal to one of `wanted`.
std::uint64_t equal_bits(const std::uint8_t* codes, const std::vector<std::uint8_t>& wanted) {
  std::uint64_t word = 0;
  for (unsigned part = 0; part < 4; ++part) {
    const __m128i here = _mm_loadu_si128(reinterpret_cast<const __m128i*>(codes + part * 16));
    __m128i equal = _mm_setzero_si128();
    for (const std::uint8_t code : wanted)
      equal = _mm_or_si128(equal, _mm_cmpeq_epi8(here, _mm_set1_epi8(static_cast<char>(code))));
    word |= std::uint64_t{static_cast<std::uint16_t>(_mm_movemask_epi8(equal))} << (part * 16);
  }
  return word;
}

Bitmap where_one_of(std::span<const std::uint8_t> codes, const std::vector<std::uint8_t>& wanted) {
  return Bitmap::of_words(codes.size(), [&](std::size_t first, std::size_t count) -> std::uint64_t {
    if (count == 64) return equal_bits(codes.data() + first, wanted);
    std::uint8_t last[64] = {};
    std::ranges::copy(codes.subspan(first, count), last);
    return equal_bits(last, wanted) & ((1ULL << count) - 1);
  });
}

#endif

}  // namespace

Bitmap where_accepted(std::span<const std::uint8_t> codes, const std::vector<std::uint8_t>& accept) {
#if defined(__SSE2__)
  std::vector<std::uint8_t> wanted;
  for (std::size_t code = 0; code < accept.size(); ++code)
    if (accept[code] != 0) wanted.push_back(static_cast<std::uint8_t>(code));
  if (wanted.size() <= kFewCodes) return where_one_of(codes, wanted);
#endif
  return Bitmap::where(codes.size(), [&](std::size_t i) { return accept[codes[i]] != 0; });
}

}  // namespace willitrun
