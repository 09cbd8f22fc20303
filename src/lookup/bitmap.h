#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace willitrun {

/// Bits that lie elsewhere, 64 in each word.
class BitView {
 public:
  BitView() = default;
  /// `words` holds exactly `size` bits; those behind the last are zero.
  BitView(std::span<const std::uint64_t> words, std::size_t size) : words_(words), size_(size) {}

  std::span<const std::uint64_t> words() const { return words_; }
  std::size_t size() const { return size_; }
  bool test(std::size_t i) const { return (words_[i / 64] >> (i % 64) & 1U) != 0; }

 private:
  std::span<const std::uint64_t> words_;
  std::size_t size_ = 0;
};

/// A fixed number of bits, worked on 64 at a time. Bits behind the last are always zero.
class Bitmap {
 public:
  Bitmap() = default;
  explicit Bitmap(std::size_t size) : words_((size + 63) / 64, 0), size_(size) {}

  /// All bits set.
  static Bitmap all(std::size_t size) {
    Bitmap bits(size);
    bits.flip();
    return bits;
  }

  /// Words of bits: `word_at(first, count)` gives those of [first, first + count), 64 but at the end.
  template <class WordAt>
  static Bitmap of_words(std::size_t size, WordAt word_at) {
    Bitmap bits(size);
    for (std::size_t word = 0; word < bits.words_.size(); ++word)
      bits.words_[word] = word_at(word * 64, std::min<std::size_t>(size - word * 64, 64));
    return bits;
  }

  /// The bits i for which `holds(i)`.
  template <class Predicate>
  static Bitmap where(std::size_t size, Predicate holds) {
    return of_words(size, [&](std::size_t first, std::size_t count) {
      std::uint64_t word = 0;
      for (std::size_t i = 0; i < count; ++i) word |= static_cast<std::uint64_t>(holds(first + i)) << i;
      return word;
    });
  }

  std::size_t size() const { return size_; }
  bool test(std::size_t i) const { return (words_[i / 64] >> (i % 64) & 1U) != 0; }
  void set(std::size_t i) { words_[i / 64] |= 1ULL << (i % 64); }

  std::span<const std::uint64_t> words() const { return words_; }
  operator BitView() const { return {words_, size_}; }  // NOLINT(google-explicit-constructor)

  Bitmap& operator&=(BitView other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words()[i];
    return *this;
  }
  Bitmap& operator|=(BitView other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words()[i];
    return *this;
  }

  /// Sets the bits [first, last).
  void set(std::size_t first, std::size_t last) {
    if (first >= last) return;
    const std::size_t last_word = (last - 1) / 64;
    const std::uint64_t to = ~0ULL >> (63 - (last - 1) % 64);
    std::uint64_t from = ~0ULL << (first % 64);
    for (std::size_t word = first / 64; word < last_word; ++word, from = ~0ULL) words_[word] |= from;
    words_[last_word] |= from & to;
  }

  /// Turns every bit round.
  void flip() {
    for (std::uint64_t& word : words_) word = ~word;
    if (size_ % 64 != 0) words_.back() &= (1ULL << (size_ % 64)) - 1;
  }

  /// Bit i of the result is bit i + 1 of this one.
  Bitmap next() const {
    Bitmap result(size_);
    for (std::size_t i = 0; i < words_.size(); ++i)
      result.words_[i] = words_[i] >> 1 | (i + 1 < words_.size() ? words_[i + 1] << 63 : 0);
    return result;
  }

  /// Number of set bits.
  std::size_t count() const { return count(0, size_); }

  /// Number of set bits in [first, last).
  std::size_t count(std::size_t first, std::size_t last) const {
    if (first >= last) return 0;
    const std::size_t first_word = first / 64;
    const std::size_t last_word = (last - 1) / 64;
    const std::uint64_t from = ~0ULL << (first % 64);
    const std::uint64_t to = ~0ULL >> (63 - (last - 1) % 64);
    if (first_word == last_word) return static_cast<std::size_t>(std::popcount(words_[first_word] & from & to));
    auto sum = static_cast<std::size_t>(std::popcount(words_[first_word] & from));
    for (std::size_t i = first_word + 1; i < last_word; ++i) sum += static_cast<std::size_t>(std::popcount(words_[i]));
    return sum + static_cast<std::size_t>(std::popcount(words_[last_word] & to));
  }

  /// Calls visit(i) for every set bit, ascending.
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::size_t i = 0; i < words_.size(); ++i)
      for (std::uint64_t rest = words_[i]; rest != 0; rest &= rest - 1)
        visit(i * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
  }

  bool operator==(const Bitmap&) const = default;

 private:
  std::vector<std::uint64_t> words_;
  std::size_t size_ = 0;
};

}  // namespace willitrun
