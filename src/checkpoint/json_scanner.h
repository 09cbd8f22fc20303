#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace willitrun {

/// Walks over JSON text token by token, for formats of a known shape that are too large for a document tree. The text
/// must outlive the scanner and be valid UTF-8.
class JsonScanner {
 public:
  explicit JsonScanner(std::string_view text)
      : next_(text.data()), begin_(text.data()), end_(text.data() + text.size()) {}

  /// Skips JSON white space; tells whether there was any.
  bool skip_space() {
    const char* const start = next_;
    while (next_ != end_ && (*next_ == ' ' || *next_ == '\n' || *next_ == '\r' || *next_ == '\t')) ++next_;
    return next_ != start;
  }

  /// Takes `wanted` when it comes next.
  bool consume(char wanted) {
    if (next_ == end_ || *next_ != wanted) return false;
    ++next_;
    return true;
  }

  /// Takes `wanted` when it comes next but for white space.
  bool consume_after_space(char wanted) {
    if (next_ != end_ && *next_ == wanted) {
      ++next_;
      return true;
    }
    skip_space();
    return consume(wanted);
  }

  /// Takes `wanted` when it comes next, letter for letter.
  bool consume(std::string_view wanted) {
    if (static_cast<std::size_t>(end_ - next_) < wanted.size()) return false;
    if (__builtin_memcmp(next_, wanted.data(), wanted.size()) != 0) return false;
    next_ += wanted.size();
    return true;
  }

  bool at_end() const { return next_ == end_; }
  std::size_t position() const { return static_cast<std::size_t>(next_ - begin_); }

  /// Takes a string. The view points into the text, or into a new element of `kept` when the string has escapes.
  std::optional<std::string_view> string(std::vector<std::string>& kept);

  /// Takes a whole number from 0 to 2^64 - 1, without sign, fraction, exponent or leading zeros.
  std::optional<std::uint64_t> unsigned_integer();

  /// Skips one value of any kind, with limited depth; false when it is not JSON.
  bool skip_value(int depth = 0);

 private:
  std::optional<std::string_view> string_with_escapes(const char* start, std::vector<std::string>& kept);
  bool skip_word();
  bool skip_number();
  bool append_escape(std::string& out);
  std::optional<std::uint32_t> four_hex_digits();

  const char* next_;
  const char* begin_;
  const char* end_;
};

}  // namespace willitrun
