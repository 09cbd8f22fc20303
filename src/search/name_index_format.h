#pragma once

#include <cstdint>
#include <string_view>

#include "search/fold.h"

/// The layout of an index file; docs/formats/name_index.md explains it.
namespace willitrun::name_index_format {

constexpr char kMagic[8] = {'W', 'I', 'R', 'N', 'A', 'M', 'E', 'S'};
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kAlignment = 64;  ///< Of every section.

/// Grams are runs of one, two or three symbols inside a name. Keys: all of one symbol, then of two, then of three.
constexpr std::uint32_t kOnes = kNumSymbols;
constexpr std::uint32_t kTwos = kNumSymbols * kNumSymbols;
constexpr std::uint32_t kThrees = kNumSymbols * kNumSymbols * kNumSymbols;
constexpr std::uint32_t kNumGrams = kOnes + kTwos + kThrees;

/// Key of a gram of 1 to 3 folded bytes.
constexpr std::uint32_t gram_key(std::string_view folded) {
  std::uint32_t value = 0;
  for (const char byte : folded) value = value * kNumSymbols + symbol_of(byte);
  return value + (folded.size() == 1 ? 0 : folded.size() == 2 ? kOnes : kOnes + kTwos);
}

/// Block numbers are 16 bits wide.
constexpr std::uint64_t kMaxBlocks = 65536;

/// Small blocks rule out more, and cost longer lists: at two million names, blocks of 1 KiB halve the slowest searches
/// of 8 KiB ones (bench_search).
constexpr std::uint64_t kMinBlockBytes = 1024;

/// Where a section lies in the file.
struct Section {
  std::uint64_t offset;
  std::uint64_t size_bytes;
};

/// The start of the file. Numbers are little-endian.
struct Header {
  char magic[8];
  std::uint32_t version;
  std::uint32_t header_bytes;
  std::uint64_t file_bytes;
  std::uint64_t num_names;
  std::uint64_t num_blocks;
  std::uint64_t longest_name;
  Section names;                  ///< The names as they are, each followed by kNameEnd.
  Section folded;                 ///< The same, folded: the same positions.
  Section name_starts;            ///< u32[num_names + 1]: where each name begins; then the end of the last.
  Section block_names;            ///< u32[num_blocks + 1]: the first name of each block; then num_names.
  Section gram_starts;            ///< u32[kNumGrams + 1]: where each gram's list begins in `lists`, in u16 units.
  Section lists;                  ///< u16[]: block numbers, ascending, or a bitmap of blocks where that is shorter.
  Section letter_counts;          ///< u32[256]: how many names hold each folded byte.
  std::uint64_t body_checksum;    ///< checksum() of everything behind the header.
  std::uint64_t header_checksum;  ///< checksum() of the header up to here.
};
static_assert(sizeof(Header) == 8 + 8 + 4 * 8 + 7 * 16 + 2 * 8);

/// Number of u16 units of a bitmap of blocks.
constexpr std::uint64_t bitmap_units(std::uint64_t num_blocks) { return (num_blocks + 15) / 16; }

}  // namespace willitrun::name_index_format
