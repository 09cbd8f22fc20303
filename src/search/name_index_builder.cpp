// Two passes over the folded names: the first counts in how many blocks each gram occurs, which gives every list its
// place; the second fills the lists. A gram's list is an array of block numbers, or a bitmap where that is shorter.
#include "search/name_index_builder.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <vector>

#include "base/checksum.h"
#include "search/fold.h"
#include "search/name_index_format.h"

namespace willitrun {
namespace {

using namespace name_index_format;

struct Blobs {
  std::string names;
  std::string folded;
  std::vector<std::uint32_t> starts;  // one more than there are names
};

Result<Blobs> lay_out(std::span<const std::string_view> names) {
  std::uint64_t size = 0;
  for (const std::string_view name : names) size += name.size() + 1;
  if (size > std::numeric_limits<std::uint32_t>::max())
    return fail(Code::ResourceExhausted, "the names are too long for one index: at most 4 GiB in all");
  Blobs blobs;
  blobs.names.reserve(size);
  blobs.starts.reserve(names.size() + 1);
  for (const std::string_view name : names) {
    blobs.starts.push_back(static_cast<std::uint32_t>(blobs.names.size()));
    blobs.names += name;
    std::replace(blobs.names.end() - static_cast<std::ptrdiff_t>(name.size()), blobs.names.end(), kNameEnd, '\x01');
    blobs.names += kNameEnd;
  }
  blobs.starts.push_back(static_cast<std::uint32_t>(blobs.names.size()));
  blobs.folded = fold_text(blobs.names);
  for (std::size_t i = 1; i < blobs.starts.size(); ++i) blobs.folded[blobs.starts[i] - 1] = kNameEnd;
  return blobs;
}

/// Cuts the names into blocks of about the same number of bytes, few enough for 16-bit numbers.
std::vector<std::uint32_t> cut_blocks(const Blobs& blobs) {
  // Every block but the last has at least that many bytes.
  const std::uint64_t block_bytes = std::max<std::uint64_t>(kMinBlockBytes, blobs.folded.size() / (kMaxBlocks - 1) + 1);
  std::vector<std::uint32_t> first_names;
  std::uint64_t block_end = 0;
  for (std::size_t i = 0; i + 1 < blobs.starts.size(); ++i) {
    if (blobs.starts[i] < block_end) continue;
    first_names.push_back(static_cast<std::uint32_t>(i));
    block_end = blobs.starts[i] + block_bytes;
  }
  first_names.push_back(static_cast<std::uint32_t>(blobs.starts.size() - 1));
  return first_names;
}

/// Calls visit(key, block) for every gram of every block, once each, blocks ascending.
template <class Visit>
void for_each_gram(const Blobs& blobs, const std::vector<std::uint32_t>& block_names, Visit visit) {
  std::vector<std::uint32_t> seen_in(kNumGrams, std::numeric_limits<std::uint32_t>::max());
  const auto note = [&](std::uint32_t key, std::uint32_t block) {
    if (seen_in[key] == block) return;
    seen_in[key] = block;
    visit(key, block);
  };
  for (std::uint32_t block = 0; block + 1 < block_names.size(); ++block) {
    std::uint32_t before = 0;       // symbol before the current one
    std::uint32_t before_that = 0;  // and the one before that
    unsigned length = 0;            // symbols of this name so far
    const std::uint32_t end = blobs.starts[block_names[block + 1]];
    for (std::uint32_t at = blobs.starts[block_names[block]]; at < end; ++at) {
      const char byte = blobs.folded[at];
      if (byte == kNameEnd) {
        length = 0;
        continue;
      }
      const std::uint32_t symbol = symbol_of(byte);
      ++length;
      note(symbol, block);
      if (length >= 2) note(kOnes + before * kNumSymbols + symbol, block);
      if (length >= 3) note(kOnes + kTwos + (before_that * kNumSymbols + before) * kNumSymbols + symbol, block);
      before_that = before;
      before = symbol;
    }
  }
}

struct GramLists {
  std::vector<std::uint32_t> starts;
  std::vector<std::uint16_t> lists;
};

GramLists make_lists(const Blobs& blobs, const std::vector<std::uint32_t>& block_names) {
  const std::uint64_t bitmap_size = bitmap_units(block_names.size() - 1);
  std::vector<std::uint32_t> counts(kNumGrams, 0);
  for_each_gram(blobs, block_names, [&](std::uint32_t key, std::uint32_t) { ++counts[key]; });
  GramLists grams;
  grams.starts.resize(kNumGrams + 1);
  std::uint64_t size = 0;
  for (std::uint32_t key = 0; key < kNumGrams; ++key) {
    grams.starts[key] = static_cast<std::uint32_t>(size);
    size += std::min<std::uint64_t>(counts[key], bitmap_size);
  }
  grams.starts[kNumGrams] = static_cast<std::uint32_t>(size);
  grams.lists.resize(size);
  std::vector<std::uint32_t> filled(kNumGrams, 0);
  for_each_gram(blobs, block_names, [&](std::uint32_t key, std::uint32_t block) {
    std::uint16_t* list = grams.lists.data() + grams.starts[key];
    if (counts[key] >= bitmap_size) {
      list[block / 16] = static_cast<std::uint16_t>(list[block / 16] | (1U << (block % 16)));
    } else {
      list[filled[key]++] = static_cast<std::uint16_t>(block);
    }
  });
  return grams;
}

std::array<std::uint32_t, 256> count_letters(const Blobs& blobs) {
  std::array<std::uint32_t, 256> counts{};
  std::array<std::size_t, 256> counted_at{};  // the number of the name, from 1, that last counted a byte
  std::size_t name = 1;
  for (const char byte : blobs.folded) {
    const auto code = static_cast<unsigned char>(byte);
    if (byte == kNameEnd) {
      ++name;
    } else if (counted_at[code] != name) {
      counted_at[code] = name;
      ++counts[code];
    }
  }
  return counts;
}

/// Puts sections behind the header, each at a multiple of kAlignment.
class FileWriter {
 public:
  FileWriter() : bytes_(padded(sizeof(Header)), '\0') {}

  template <class T>
  Section add(std::span<const T> values) {
    const Section section{bytes_.size(), values.size_bytes()};
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
    bytes_.resize(padded(bytes_.size()), '\0');
    return section;
  }

  std::string finish(Header header) && {
    std::memcpy(header.magic, kMagic, sizeof(kMagic));
    header.version = kVersion;
    header.header_bytes = sizeof(Header);
    header.file_bytes = bytes_.size();
    header.body_checksum = checksum(std::string_view(bytes_).substr(sizeof(Header)));
    header.header_checksum =
        checksum({reinterpret_cast<const char*>(&header), sizeof(Header) - sizeof(header.header_checksum)});
    std::memcpy(bytes_.data(), &header, sizeof(Header));
    return std::move(bytes_);
  }

 private:
  static std::size_t padded(std::size_t size) { return (size + kAlignment - 1) / kAlignment * kAlignment; }

  std::string bytes_;
};

std::uint64_t longest_of(std::span<const std::string_view> names) {
  std::uint64_t longest = 0;
  for (const std::string_view name : names) longest = std::max<std::uint64_t>(longest, name.size());
  return longest;
}

}  // namespace

Result<std::string> build_name_index(std::span<const std::string_view> names) {
  ASSIGN_OR_RETURN(const Blobs blobs, lay_out(names));
  const std::vector<std::uint32_t> block_names = cut_blocks(blobs);
  const GramLists grams = make_lists(blobs, block_names);
  FileWriter file;
  Header header{};
  header.num_names = names.size();
  header.num_blocks = block_names.size() - 1;
  header.longest_name = longest_of(names);
  header.names = file.add<char>(blobs.names);
  header.folded = file.add<char>(blobs.folded);
  header.name_starts = file.add<std::uint32_t>(blobs.starts);
  header.block_names = file.add<std::uint32_t>(block_names);
  header.gram_starts = file.add<std::uint32_t>(grams.starts);
  header.lists = file.add<std::uint16_t>(grams.lists);
  header.letter_counts = file.add<std::uint32_t>(count_letters(blobs));
  return std::move(file).finish(header);
}

}  // namespace willitrun
