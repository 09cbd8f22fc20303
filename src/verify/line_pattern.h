#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace willitrun {

/// What the holes of a pattern took, in their order.
struct Captures {
  std::vector<std::string_view> words;    ///< Of `{}`, `{text}` and `{...}`.
  std::vector<std::string_view> numbers;  ///< Of `{#}`.
};

/// A pattern over one line of text, written as the text itself:
///  - `*` any text
///  - `{}` a word, captured: letters, digits and `_ . - + / ::`, not ending in one of `. - + /`
///  - `{#}` a decimal number, captured
///  - `{text}` this very text, captured
///  - `{...}` the rest of the line, captured; only at the end
///  - `|` before or after literal text: a word starts or ends here, so that `|OOM|` is not found in "bloom"
///  - anything else stands for itself, letters in either case.
/// It matches anywhere in the line. A part between two `*` starts with literal text.
///
/// Matching is linear in the line's length: parts are found from left to right, each at its first place, and a word or
/// number takes all it can get, so nothing is ever tried twice.
class LinePattern {
 public:
  explicit LinePattern(std::string_view pattern);

  /// The longest literal piece, in lower case: every matching line contains it.
  const std::string& literal() const { return literal_; }

  /// Returns the captures when the line matches. `lower` is the line in lower case.
  std::optional<Captures> match(std::string_view line, std::string_view lower) const;

 private:
  enum class Kind { Literal, CapturedLiteral, Word, Number, Rest };
  struct Piece {
    Kind kind;
    std::string text;  ///< Of a literal, in lower case.
    bool starts_word = false;
    bool ends_word = false;
  };
  using Part = std::vector<Piece>;
  struct Line {
    std::string_view text, lower;
  };

  static Piece read_piece(std::string_view& pattern);
  static std::optional<std::size_t> match_part(const Part& part, const Line& line, std::size_t from,
                                               Captures& captures);
  static std::optional<std::size_t> match_at(const Part& part, const Line& line, std::size_t at, Captures& captures);

  std::vector<Part> parts_;
  std::string literal_;
};

}  // namespace willitrun
