// Compares two bytes of the word, its rarest, at 32 places at once. A place where both are right is a candidate, and
// only there the whole word is compared. Cost: about two loads and three instructions for 32 bytes of text, so that
// memory sets the pace.
#include "search/kernel_avx2.h"

#include "search/kernel_portable.h"

#if defined(__x86_64__)

#include <immintrin.h>

#include <bit>
#include <cstring>

#include "search/fold.h"
#include "search/kernels.h"

#define WITH_AVX2 __attribute__((target("avx2,bmi,bmi2,lzcnt")))

namespace willitrun {
namespace {

constexpr std::size_t kWidth = 32;

/// The two bytes to look for, each in all lanes, and where in the word they stand.
struct Pattern {
  __m256i first_byte;
  __m256i second_byte;
  std::size_t first_at;
  std::size_t second_at;
  std::string_view word;
  std::uint64_t head;  ///< The word's first eight bytes, or as many as it has.
  std::uint64_t tail;  ///< Its last eight.
};

inline std::uint64_t eight_bytes(const char* at) {
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, at, sizeof(bytes));
  return bytes;
}

WITH_AVX2 inline Pattern make_pattern(std::string_view word) {
  const RarePair pair = rare_pair(word);
  Pattern pattern = {
      _mm256_set1_epi8(word[pair.first]), _mm256_set1_epi8(word[pair.second]), pair.first, pair.second, word, 0, 0};
  if (word.size() >= sizeof(pattern.head)) {
    pattern.head = eight_bytes(word.data());
    pattern.tail = eight_bytes(word.data() + word.size() - sizeof(pattern.tail));
  }
  return pattern;
}

WITH_AVX2 inline __m256i load(const char* at) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at)); }

/// Lanes i where the word may begin at `at + i`.
WITH_AVX2 inline __m256i candidate_lanes(const Pattern& pattern, const char* at) {
  return _mm256_and_si256(_mm256_cmpeq_epi8(load(at + pattern.first_at), pattern.first_byte),
                          _mm256_cmpeq_epi8(load(at + pattern.second_at), pattern.second_byte));
}

WITH_AVX2 inline std::uint32_t mask_of(__m256i lanes) {
  return static_cast<std::uint32_t>(_mm256_movemask_epi8(lanes));
}

/// Compares the whole word. Most are short, and calling memcmp for them would cost more than the comparison.
WITH_AVX2 inline bool word_is_at(const Pattern& pattern, const char* at) {
  const std::size_t size = pattern.word.size();
  if (size >= sizeof(pattern.head)) {
    if (eight_bytes(at) != pattern.head || eight_bytes(at + size - sizeof(pattern.tail)) != pattern.tail) return false;
    return size <= 2 * sizeof(pattern.head) || std::memcmp(at, pattern.word.data(), size) == 0;
  }
  for (std::size_t i = 0; size > 2 && i < size; ++i)
    if (at[i] != pattern.word[i]) return false;
  return true;
}

/// Returns the first candidate of `mask` where the whole word stands, as an offset from `at`; kWidth when there is
/// none.
WITH_AVX2 inline unsigned first_match(const Pattern& pattern, const char* at, std::uint32_t mask) {
  for (; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(mask));
    if (word_is_at(pattern, at + lane)) return lane;
  }
  return kWidth;
}

/// Places that a block of `width` starting places, beginning at `at`, may be read at: all inside the text.
inline bool has_block(std::string_view text, const char* at, std::size_t word_size, std::size_t width) {
  return static_cast<std::size_t>(text.data() + text.size() - at) >= width + word_size - 1;
}

}  // namespace

bool avx2_is_usable() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2"); }

WITH_AVX2 std::size_t find_avx2(std::string_view text, std::string_view word) {
  const Pattern pattern = make_pattern(word);
  const char* at = text.data();
  // Four vectors at a time while nothing looks like the word.
  while (has_block(text, at, word.size(), 4 * kWidth)) {
    const __m256i a = candidate_lanes(pattern, at);
    const __m256i b = candidate_lanes(pattern, at + kWidth);
    const __m256i c = candidate_lanes(pattern, at + 2 * kWidth);
    const __m256i d = candidate_lanes(pattern, at + 3 * kWidth);
    const __m256i any = _mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d));
    if (_mm256_testz_si256(any, any) == 0) {
      const __m256i all[] = {a, b, c, d};
      for (std::size_t i = 0; i < 4; ++i) {
        const unsigned lane = first_match(pattern, at + i * kWidth, mask_of(all[i]));
        if (lane != kWidth) return static_cast<std::size_t>(at - text.data()) + i * kWidth + lane;
      }
    }
    at += 4 * kWidth;
  }
  for (; has_block(text, at, word.size(), kWidth); at += kWidth) {
    const unsigned lane = first_match(pattern, at, mask_of(candidate_lanes(pattern, at)));
    if (lane != kWidth) return static_cast<std::size_t>(at - text.data()) + lane;
  }
  const auto done = static_cast<std::size_t>(at - text.data());
  const std::size_t rest = find_portable(text.substr(done), word);
  return rest == std::string_view::npos ? rest : done + rest;
}

WITH_AVX2 std::uint64_t count_names_avx2(std::string_view text, std::string_view word) {
  const Pattern pattern = make_pattern(word);
  const __m256i name_end = _mm256_set1_epi8(kNameEnd);
  std::uint64_t count = 0;
  bool in_counted_name = false;  // The name that `at` is in has been counted: wait for its end.
  const char* at = text.data();
  for (; has_block(text, at, word.size(), kWidth); at += kWidth) {
    std::uint32_t candidates = mask_of(candidate_lanes(pattern, at));
    if (candidates == 0 && !in_counted_name) continue;
    const std::uint32_t ends = mask_of(_mm256_cmpeq_epi8(load(at), name_end));
    if (in_counted_name) {
      if (ends == 0) continue;
      candidates &= ~0U << std::countr_zero(ends);
      in_counted_name = false;
    }
    while (candidates != 0) {
      const unsigned lane = first_match(pattern, at, candidates);
      if (lane == kWidth) break;
      ++count;
      const std::uint32_t ends_after = ends & (~0U << lane);
      in_counted_name = ends_after == 0;
      if (in_counted_name) break;
      candidates &= ~0U << std::countr_zero(ends_after);
    }
  }
  auto done = static_cast<std::size_t>(at - text.data());
  if (in_counted_name) {
    const std::size_t end = text.find(kNameEnd, done);
    if (end == std::string_view::npos) return count;
    done = end + 1;
  }
  return count + count_names_portable(text.substr(done), word);
}

}  // namespace willitrun

#else

namespace willitrun {

bool avx2_is_usable() { return false; }
std::size_t find_avx2(std::string_view text, std::string_view word) { return find_portable(text, word); }
std::uint64_t count_names_avx2(std::string_view text, std::string_view word) {
  return count_names_portable(text, word);
}

}  // namespace willitrun

#endif
