// The problem: find a part of a name among millions, in rank order, while a person types.
//
// The idea: names lie in rank order in one folded text, cut into blocks of a few kilobytes. For every run of one to
// three letters the index lists the blocks that hold it. A query keeps the blocks that hold all its runs, and a kernel
// scans only those. A query of frequent letters fills its page within the first blocks; one of rare letters has few
// blocks; only a query of frequent runs that never stand together scans far, and a scan is as fast as memory.
//
// Costs, for names of b bytes in all: building O(b), a file of about 2.5 b, a full scan b / (memory speed).
#include "search/name_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/checksum.h"
#include "search/fold.h"
#include "search/name_index_format.h"

namespace willitrun {
namespace {

using namespace name_index_format;

static_assert(std::endian::native == std::endian::little, "index files are little-endian and read as they are");

Error corrupt(std::string_view what) {
  return {Code::Corruption, fmt::format("the name index is damaged: {}; build it again", what)};
}

template <class T>
Result<std::span<const T>> section_of(std::string_view bytes, Section section, std::uint64_t count,
                                      std::string_view what) {
  const bool fits = section.offset <= bytes.size() && section.size_bytes <= bytes.size() - section.offset;
  if (!fits || section.offset % kAlignment != 0 || section.size_bytes != count * sizeof(T))
    return fail(corrupt(fmt::format("section {} does not lie where it should", what)));
  return std::span(reinterpret_cast<const T*>(bytes.data() + section.offset), count);
}

Result<std::string_view> text_section_of(std::string_view bytes, Section section, std::string_view what) {
  ASSIGN_OR_RETURN(const auto text, section_of<char>(bytes, section, section.size_bytes, what));
  return std::string_view(text.data(), text.size());
}

Result<Header> read_header(std::string_view bytes) {
  Header header{};
  if (bytes.size() < sizeof(Header)) return fail(corrupt("it is shorter than its header"));
  std::memcpy(&header, bytes.data(), sizeof(Header));
  if (std::memcmp(header.magic, kMagic, sizeof(kMagic)) != 0) return fail(corrupt("it does not begin as an index"));
  if (header.version != kVersion)
    return fail(
        Code::InvalidArgument,
        fmt::format("the name index has format {}, this program knows {}: build it again", header.version, kVersion));
  if (header.header_checksum != checksum(bytes.substr(0, sizeof(Header) - sizeof(header.header_checksum))))
    return fail(corrupt("its header does not match its checksum"));
  if (header.file_bytes != bytes.size())
    return fail(corrupt(fmt::format("it has {} bytes instead of {}", bytes.size(), header.file_bytes)));
  if (header.num_names >= UINT32_MAX || header.num_blocks > kMaxBlocks) return fail(corrupt("impossible counts"));
  return header;
}

/// Calls visit(gram) for the grams that a word's blocks must hold: its runs of three, or the whole of a shorter word.
template <class Visit>
void for_each_needed_gram(std::string_view word, Visit visit) {
  if (word.size() < 3) return visit(word);
  for (std::size_t i = 0; i + 3 <= word.size(); ++i) visit(word.substr(i, 3));
}

}  // namespace

Result<NameIndex> NameIndex::open(std::string_view bytes, const Kernel& kernel) {
  ASSIGN_OR_RETURN(const Header header, read_header(bytes));
  NameIndex index;
  index.kernel_ = &kernel;
  index.bytes_ = bytes;
  index.num_names_ = static_cast<std::uint32_t>(header.num_names);
  index.num_blocks_ = static_cast<std::uint32_t>(header.num_blocks);
  index.longest_name_ = header.longest_name;
  ASSIGN_OR_RETURN(index.names_, text_section_of(bytes, header.names, "names"));
  ASSIGN_OR_RETURN(index.folded_, text_section_of(bytes, header.folded, "folded"));
  ASSIGN_OR_RETURN(index.name_starts_,
                   section_of<std::uint32_t>(bytes, header.name_starts, header.num_names + 1, "name_starts"));
  ASSIGN_OR_RETURN(index.block_names_,
                   section_of<std::uint32_t>(bytes, header.block_names, header.num_blocks + 1, "block_names"));
  ASSIGN_OR_RETURN(index.gram_starts_,
                   section_of<std::uint32_t>(bytes, header.gram_starts, kNumGrams + 1, "gram_starts"));
  ASSIGN_OR_RETURN(index.lists_, section_of<std::uint16_t>(bytes, header.lists, header.lists.size_bytes / 2, "lists"));
  ASSIGN_OR_RETURN(index.letter_counts_, section_of<std::uint32_t>(bytes, header.letter_counts, 256, "letter_counts"));
  if (index.names_.size() != index.folded_.size()) return fail(corrupt("names and folded names differ in length"));
  return index;
}

Status NameIndex::verify() const {
  Header header{};
  std::memcpy(&header, bytes_.data(), sizeof(Header));
  if (checksum(bytes_.substr(sizeof(Header))) != header.body_checksum)
    return fail(corrupt("its content does not match its checksum"));
  return {};
}

// The three accessors below clamp what they read, so that damage never leads outside the text.

std::uint32_t NameIndex::start_of(std::uint32_t name) const {
  return std::min(name_starts_[std::min(name, num_names_)], static_cast<std::uint32_t>(folded_.size()));
}

std::uint32_t NameIndex::first_name_of(std::uint32_t block) const {
  return std::min(block_names_[std::min(block, num_blocks_)], num_names_);
}

std::string_view NameIndex::name(std::uint32_t number) const {
  if (number >= num_names_) return {};
  const std::uint32_t begin = start_of(number);
  const std::uint32_t end = start_of(number + 1);
  return end <= begin ? std::string_view() : names_.substr(begin, end - begin - 1);
}

std::uint32_t NameIndex::block_of(std::uint32_t name) const {
  const auto after = std::upper_bound(block_names_.begin(), block_names_.end() - 1, name);
  return after == block_names_.begin() ? 0 : static_cast<std::uint32_t>(after - block_names_.begin() - 1);
}

/// The name among [first, last) that holds the text position.
std::uint32_t NameIndex::name_at(std::uint32_t position, std::uint32_t first, std::uint32_t last) const {
  const auto begin = name_starts_.begin();
  return static_cast<std::uint32_t>(std::upper_bound(begin + first, begin + last, position) - begin - 1);
}

void NameIndex::keep_blocks_with(std::string_view gram, std::vector<std::uint64_t>& blocks) const {
  const std::uint32_t key = gram_key(gram);
  const std::size_t begin = std::min<std::size_t>(gram_starts_[key], lists_.size());
  const std::size_t end = std::clamp<std::size_t>(gram_starts_[key + 1], begin, lists_.size());
  const auto list = lists_.subspan(begin, end - begin);
  std::vector<std::uint64_t> holding(blocks.size(), 0);
  if (list.size() >= bitmap_units(num_blocks_)) {
    std::memcpy(holding.data(), list.data(), bitmap_units(num_blocks_) * sizeof(std::uint16_t));
  } else {
    for (const std::uint16_t block : list)
      if (block < num_blocks_) holding[block / 64] |= 1ULL << (block % 64);
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) blocks[i] &= holding[i];
}

std::vector<std::uint64_t> NameIndex::candidate_blocks(const NameQuery& query) const {
  std::vector<std::uint64_t> blocks((num_blocks_ + 63) / 64, ~0ULL);
  if (num_blocks_ % 64 != 0) blocks.back() = (1ULL << (num_blocks_ % 64)) - 1;
  for (const std::string& word : query.words)
    for_each_needed_gram(word, [&](std::string_view gram) { keep_blocks_with(gram, blocks); });
  return blocks;
}

/// Runs of neighbouring candidate blocks, from `from_block` on.
std::vector<NameIndex::Span> NameIndex::spans_of(const std::vector<std::uint64_t>& blocks,
                                                 std::uint32_t from_block) const {
  std::vector<Span> spans;
  for (std::uint32_t block = from_block; block < num_blocks_;) {
    const std::uint64_t rest = blocks[block / 64] >> (block % 64);
    if (rest == 0) {
      block = (block / 64 + 1) * 64;
      continue;
    }
    block += static_cast<std::uint32_t>(std::countr_zero(rest));
    if (!spans.empty() && spans.back().last == block) {
      ++spans.back().last;
    } else {
      spans.push_back({block, block + 1});
    }
    ++block;
  }
  return spans;
}

bool NameIndex::other_words_match(const NameQuery& query, std::uint32_t name) const {
  const std::uint32_t begin = start_of(name);
  const std::string_view text = folded_.substr(begin, std::max(start_of(name + 1), begin) - begin);
  return std::all_of(query.words.begin() + 1, query.words.end(),
                     [&](const std::string& word) { return text.find(word) != std::string_view::npos; });
}

/// Calls visit(name) for the matching names from `from` on, in order, until it returns false.
template <class Visit>
void NameIndex::for_each_match(const NameQuery& query, std::uint32_t from, Visit visit) const {
  if (query.words.empty()) {
    for (std::uint32_t name = from; name < num_names_; ++name)
      if (!visit(name)) return;
    return;
  }
  if (from >= num_names_ || query.words.front().size() > longest_name_) return;
  for (const Span span : spans_of(candidate_blocks(query), block_of(from))) {
    const std::uint32_t last = first_name_of(span.last);
    std::uint32_t name = std::max(first_name_of(span.first), from);
    while (name < last) {
      const std::uint32_t begin = start_of(name);
      const std::uint32_t end = std::max(start_of(last), begin);
      const std::size_t found = kernel_->find(folded_.substr(begin, end - begin), query.words.front());
      if (found == std::string_view::npos) break;
      name = std::max(name_at(begin + static_cast<std::uint32_t>(found), name, last), name);
      if (other_words_match(query, name) && !visit(name)) return;
      ++name;
    }
  }
}

NamePage NameIndex::find(const NameQuery& query, std::uint32_t from, std::size_t limit) const {
  NamePage page;
  for_each_match(query, from, [&](std::uint32_t name) {
    if (page.names.size() == limit) {
      page.next = name;
      return false;
    }
    page.names.push_back(name);
    return true;
  });
  return page;
}

NameCount NameIndex::count(const NameQuery& query, std::uint64_t limit) const {
  NameCount result;
  if (query.words.empty() || num_names_ == 0) {
    result.count = num_names_;
  } else if (query.words.size() == 1 && query.words.front().size() == 1) {
    result.count = letter_counts_[static_cast<unsigned char>(query.words.front().front())];
  } else if (query.words.size() == 1 && query.words.front().size() <= longest_name_) {
    for (const Span span : spans_of(candidate_blocks(query), 0)) {
      const std::uint32_t begin = start_of(first_name_of(span.first));
      const std::uint32_t end = std::max(start_of(first_name_of(span.last)), begin);
      result.count += kernel_->count_names(folded_.substr(begin, end - begin), query.words.front());
      if (result.count > limit) break;
    }
  } else {
    for_each_match(query, 0, [&](std::uint32_t) { return ++result.count <= limit; });
  }
  if (result.count > limit) result = {limit, false};
  return result;
}

}  // namespace willitrun
