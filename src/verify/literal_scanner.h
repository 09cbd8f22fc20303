#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace willitrun {

/// Finds many literals in a text in one pass (Aho and Corasick, 1975), letters in either case.
///
/// The literals make a trie; a failed step goes on in the state of the longest suffix that is still a prefix of some
/// literal. All failed steps are resolved when it is built, so that scanning takes one table look-up per byte, whatever
/// the text. Bytes that no literal holds share one column, which keeps the table small.
class LiteralScanner {
 public:
  /// `literals` are in lower case and not empty; their places are the ids that `scan` reports.
  explicit LiteralScanner(const std::vector<std::string>& literals);

  /// Calls `found(id, end)` for each occurrence, `end` being the place after its last byte, in the order of `end`.
  template <class Found>
  void scan(std::string_view text, Found&& found) const {
    std::uint32_t state = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      state = next_[(state & ~kHit) + column_[static_cast<unsigned char>(text[i])]];
      if (state & kHit) [[unlikely]]
        for (const std::size_t id : ids_[(state & ~kHit) / num_columns_]) found(id, i + 1);
    }
  }

 private:
  static constexpr std::uint32_t kHit = 1u << 31;  ///< Marks a state in which a literal ends.

  std::uint32_t num_columns_ = 1;
  std::array<std::uint8_t, 256> column_{};
  std::vector<std::uint32_t> next_;            ///< One row per state; a state is its row's offset, perhaps with kHit.
  std::vector<std::vector<std::size_t>> ids_;  ///< Literals that end in a state.
};

}  // namespace willitrun
