#include "checkpoint/json_scanner.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

namespace willitrun {
namespace {

constexpr int kMaxDepth = 64;

void append_utf8(std::string& out, std::uint32_t code_point) {
  const auto byte = [&](std::uint32_t value) { out.push_back(static_cast<char>(value)); };
  if (code_point < 0x80) {
    byte(code_point);
  } else if (code_point < 0x800) {
    byte(0xC0 | code_point >> 6);
    byte(0x80 | (code_point & 0x3F));
  } else if (code_point < 0x10000) {
    byte(0xE0 | code_point >> 12);
    byte(0x80 | (code_point >> 6 & 0x3F));
    byte(0x80 | (code_point & 0x3F));
  } else {
    byte(0xF0 | code_point >> 18);
    byte(0x80 | (code_point >> 12 & 0x3F));
    byte(0x80 | (code_point >> 6 & 0x3F));
    byte(0x80 | (code_point & 0x3F));
  }
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20; }

/// Skips whole words of eight characters that neither end a string nor need a closer look: one test of eight bytes at
/// once (the borrow of a subtraction reaches a byte's high bit only when the byte is smaller, or one below it was).
const char* skip_plain_words(const char* next, const char* end) {
  constexpr std::uint64_t kOnes = 0x0101010101010101, kHighBits = 0x8080808080808080;
  const auto has_zero = [](std::uint64_t word) { return (word - kOnes) & ~word & kHighBits; };
  for (std::uint64_t word = 0; end - next >= static_cast<std::ptrdiff_t>(sizeof word); next += sizeof word) {
    std::memcpy(&word, next, sizeof word);
    const std::uint64_t control = (word - kOnes * 0x20) & ~word & kHighBits;
    if ((control | has_zero(word ^ kOnes * '"') | has_zero(word ^ kOnes * '\\')) != 0) break;
  }
  return next;
}

/// The value of eight digits, or nothing when there are not as many. Works on all at once: neighbours are joined to
/// numbers of two digits, those to four, those to eight (D. Lemire, "Quickly parsing eight digits", 2022).
std::optional<std::uint64_t> eight_digits(const char* next, const char* end) {
  static_assert(std::endian::native == std::endian::little);
  std::uint64_t word = 0;
  if (end - next < static_cast<std::ptrdiff_t>(sizeof word)) return std::nullopt;
  std::memcpy(&word, next, sizeof word);
  constexpr std::uint64_t kHigh = 0xF0F0F0F0F0F0F0F0, kThrees = 0x3333333333333333;
  if (((word & kHigh) | ((word + 0x0606060606060606) & kHigh) >> 4) != kThrees) return std::nullopt;
  word -= 0x3030303030303030;
  word = word * 10 + (word >> 8);
  constexpr std::uint64_t kPairs = 0x000000FF000000FF;
  return ((word & kPairs) * (100 + (std::uint64_t{1000000} << 32)) +
          ((word >> 16) & kPairs) * (1 + (std::uint64_t{10000} << 32))) >>
         32;
}

}  // namespace

std::optional<std::string_view> JsonScanner::string(std::vector<std::string>& kept) {
  if (!consume('"')) return std::nullopt;
  const char* const start = next_;
  next_ = skip_plain_words(next_, end_);
  while (next_ != end_ && *next_ != '"' && *next_ != '\\' && !is_control(*next_)) ++next_;
  if (next_ == end_ || is_control(*next_)) return std::nullopt;
  if (*next_ == '\\') return string_with_escapes(start, kept);
  return std::string_view(start, static_cast<std::size_t>(next_++ - start));
}

std::optional<std::string_view> JsonScanner::string_with_escapes(const char* start, std::vector<std::string>& kept) {
  std::string out(start, next_);
  while (next_ != end_ && *next_ != '"') {
    if (is_control(*next_)) return std::nullopt;
    if (*next_ != '\\') {
      out.push_back(*next_++);
      continue;
    }
    ++next_;
    if (!append_escape(out)) return std::nullopt;
  }
  if (!consume('"')) return std::nullopt;
  // A short string lives inside its object and would move with it: the heap keeps views valid while `kept` grows.
  out.reserve(std::max<std::size_t>(out.size(), 32));
  return kept.emplace_back(std::move(out));
}

bool JsonScanner::append_escape(std::string& out) {
  if (next_ == end_) return false;
  constexpr std::string_view kEscapes = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
  const char escape = *next_++;
  if (const auto index = kEscapes.find(escape); index != std::string_view::npos) {
    out.push_back(kMeanings[index]);
    return true;
  }
  if (escape != 'u') return false;
  auto unit = four_hex_digits();
  if (!unit || (*unit >= 0xDC00 && *unit < 0xE000)) return false;
  if (*unit >= 0xD800 && *unit < 0xDC00) {
    if (!consume('\\') || !consume('u')) return false;
    const auto low = four_hex_digits();
    if (!low || *low < 0xDC00 || *low >= 0xE000) return false;
    unit = 0x10000 + ((*unit - 0xD800) << 10) + (*low - 0xDC00);
  }
  append_utf8(out, *unit);
  return true;
}

std::optional<std::uint32_t> JsonScanner::four_hex_digits() {
  std::uint32_t value = 0;
  for (int i = 0; i < 4; ++i, ++next_) {
    if (next_ == end_) return std::nullopt;
    const char c = *next_;
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) return std::nullopt;
    value = value << 4 | static_cast<std::uint32_t>(digit);
  }
  return value;
}

std::optional<std::uint64_t> JsonScanner::unsigned_integer() {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const char* const start = next_;
  std::uint64_t value = 0;
  if (const auto eight = eight_digits(next_, end_)) {  // most offsets have nine to thirteen
    value = *eight;
    next_ += 8;
  }
  while (next_ != end_ && is_digit(*next_)) {
    const auto digit = static_cast<std::uint64_t>(*next_ - '0');
    if (__builtin_mul_overflow(value, std::uint64_t{10}, &value) || __builtin_add_overflow(value, digit, &value))
      return std::nullopt;
    ++next_;
  }
  const auto digits = next_ - start;
  if (digits == 0 || (digits > 1 && *start == '0')) return std::nullopt;
  if (next_ != end_ && (*next_ == '.' || *next_ == 'e' || *next_ == 'E')) return std::nullopt;
  return value;
}

bool JsonScanner::skip_value(int depth) {
  skip_space();
  if (depth > kMaxDepth || next_ == end_) return false;
  std::vector<std::string> unused;
  if (*next_ == '"') return string(unused).has_value();
  if (*next_ == '{' || *next_ == '[') {
    const bool is_object = *next_++ == '{';
    const char close = is_object ? '}' : ']';
    if (consume_after_space(close)) return true;
    do {
      skip_space();
      if (is_object && (!string(unused) || !consume_after_space(':'))) return false;
      if (!skip_value(depth + 1)) return false;
    } while (consume_after_space(','));
    return consume_after_space(close);
  }
  return std::string_view("-0123456789").contains(*next_) ? skip_number() : skip_word();
}

bool JsonScanner::skip_word() {
  for (const std::string_view word : {"true", "false", "null"})
    if (std::string_view(next_, end_).starts_with(word)) {
      next_ += word.size();
      return true;
    }
  return false;
}

bool JsonScanner::skip_number() {
  const auto digits = [this] {
    const char* const start = next_;
    while (next_ != end_ && *next_ >= '0' && *next_ <= '9') ++next_;
    return next_ - start;
  };
  consume('-');
  const bool starts_with_zero = next_ != end_ && *next_ == '0';
  const auto whole = digits();
  if (whole == 0 || (starts_with_zero && whole > 1)) return false;
  if (consume('.') && digits() == 0) return false;
  if (!consume('e') && !consume('E')) return true;
  if (!consume('+')) consume('-');
  return digits() > 0;
}

}  // namespace willitrun
