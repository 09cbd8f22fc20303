#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "search/kernels.h"
#include "search/name_query.h"

namespace willitrun {

/// One page of an answer: names by number, in rank order, and where the next page begins.
struct NamePage {
  std::vector<std::uint32_t> names;
  std::optional<std::uint32_t> next;  ///< Number of the first name that the page did not look at; nothing at the end.
};

/// How many names match.
struct NameCount {
  std::uint64_t count = 0;
  bool exact = true;  ///< False: there are more than `count`.
};

/// Finds parts of names in an index that build_name_index made (docs/formats/name_index.md): reads only the blocks of
/// names that can match, and stops when a page is full.
///
/// Does not own the bytes; they are never written, so any number of threads may search at once. Damaged bytes give
/// wrong answers, never a read outside them: open() checks what it can in constant time, and verify() checks
/// everything.
class NameIndex {
 public:
  /// Opens an index over the content of its file. Corruption says what is wrong; InvalidArgument a version that this
  /// program does not know. `kernel` must outlive the index.
  static Result<NameIndex> open(std::string_view bytes, const Kernel& kernel = best_kernel());

  /// An index without names.
  static NameIndex empty() { return {}; }

  /// Reads the whole index and compares it with its checksum.
  Status verify() const;

  std::uint32_t size() const { return num_names_; }

  /// The name of that number, as it was given. Numbers of size() and above have the empty name.
  std::string_view name(std::uint32_t number) const;

  /// Returns the first `limit` matching names whose numbers are at least `from`.
  NamePage find(const NameQuery& query, std::uint32_t from, std::size_t limit) const;

  /// Counts the matching names; stops when there are more than `limit`.
  NameCount count(const NameQuery& query, std::uint64_t limit = UINT64_MAX) const;

 private:
  NameIndex() = default;

  struct Span {
    std::uint32_t first;  ///< Block number.
    std::uint32_t last;   ///< One behind.
  };

  std::vector<std::uint64_t> candidate_blocks(const NameQuery& query) const;
  void keep_blocks_with(std::string_view gram, std::vector<std::uint64_t>& blocks) const;
  std::vector<Span> spans_of(const std::vector<std::uint64_t>& blocks, std::uint32_t from_block) const;
  std::uint32_t block_of(std::uint32_t name) const;
  std::uint32_t start_of(std::uint32_t name) const;
  std::uint32_t first_name_of(std::uint32_t block) const;
  std::uint32_t name_at(std::uint32_t position, std::uint32_t first, std::uint32_t last) const;
  bool other_words_match(const NameQuery& query, std::uint32_t name) const;
  template <class Visit>
  void for_each_match(const NameQuery& query, std::uint32_t from, Visit visit) const;

  const Kernel* kernel_ = nullptr;
  std::string_view bytes_;
  std::uint32_t num_names_ = 0;
  std::uint32_t num_blocks_ = 0;
  std::uint64_t longest_name_ = 0;
  std::string_view names_;
  std::string_view folded_;
  std::span<const std::uint32_t> name_starts_;
  std::span<const std::uint32_t> block_names_;
  std::span<const std::uint32_t> gram_starts_;
  std::span<const std::uint16_t> lists_;
  std::span<const std::uint32_t> letter_counts_;
};

}  // namespace willitrun
