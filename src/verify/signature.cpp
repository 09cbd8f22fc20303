#include "verify/signature.h"

#include <algorithm>
#include <array>

#include "base/check.h"
#include "base/text.h"

namespace willitrun {
namespace {

constexpr std::size_t kMaxNormalised = 120;
constexpr std::size_t kMaxMessage = 500;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_path_char(char c) { return is_letter(c) || is_digit(c) || std::string_view("/.-+@%=~:").contains(c); }

template <class Is>
std::size_t run_length(std::string_view text, Is is) {
  return static_cast<std::size_t>(std::ranges::find_if_not(text, is) - text.begin());
}

/// Length of a path with at least two parts, or of a URL, at the start of `text`; 0 for anything else.
std::size_t path_length(std::string_view text) {
  const bool url = text.starts_with("http://") || text.starts_with("https://");
  if (!url && !text.starts_with('/') && !text.starts_with("~/")) return 0;
  std::size_t length = run_length(text, is_path_char);
  while (length > 0 && std::string_view(".:,").contains(text[length - 1])) --length;
  return url || std::ranges::count(text.substr(0, length), '/') > 1 ? length : 0;
}

/// Length of a digest or identifier at the start of `text`: eight or more hexadecimal digits, with letters and digits
/// both, perhaps in groups with `-`.
std::size_t digest_length(std::string_view text) {
  const std::size_t length = run_length(text, [](char c) { return is_hex(c) || c == '-'; });
  const std::string_view run = text.substr(0, length);
  if (length < 8 || (length < text.size() && is_letter(text[length]))) return 0;
  return std::ranges::any_of(run, is_digit) && std::ranges::any_of(run, is_letter) ? length : 0;
}

/// Length of a number at the start of `text`: digits, with `.` and more digits as often as they come, and an exponent.
std::size_t number_length(std::string_view text) {
  std::size_t length = run_length(text, is_digit);
  if (length == 0) return 0;
  while (length + 1 < text.size() && text[length] == '.' && is_digit(text[length + 1]))
    length += 1 + run_length(text.substr(length + 1), is_digit);
  const std::string_view rest = text.substr(length);
  if (!rest.starts_with("e-") && !rest.starts_with("e+")) return length;
  const std::size_t exponent = run_length(rest.substr(2), is_digit);
  return exponent > 0 ? length + 2 + exponent : length;
}

/// Tells whether `text` ends with a word that only counts its things: `rank`, as in `rank3`.
bool ends_with_counted_word(std::string_view text) {
  constexpr auto kCounted = std::to_array<std::string_view>(
      {"rank", "worker", "process", "thread", "device", "core", "node", "gpu", "nd", "nc", "step", "module"});
  const auto letters = std::find_if_not(text.rbegin(), text.rend(), is_letter) - text.rbegin();
  const std::string word = to_lower(text.substr(text.size() - static_cast<std::size_t>(letters)));
  return std::ranges::find(kCounted, word) != kCounted.end();
}

/// What stands for the variable text at the start of `text`, and how long that text is; nothing for ordinary text.
/// `before` is what comes before it: a number that ends a word belongs to its name (`float16`), unless it counts.
std::pair<std::string_view, std::size_t> variable(std::string_view text, std::string_view before) {
  if (!before.empty() && (is_letter(before.back()) || is_digit(before.back()))) {
    if (const std::size_t length = digest_length(text); length > 0 && before.ends_with('_')) return {"<id>", length};
    if (!ends_with_counted_word(before)) return {};
    return {"<n>", run_length(text, is_digit)};
  }
  if (const std::size_t length = path_length(text)) return {text.starts_with("http") ? "<url>" : "<path>", length};
  if (text.starts_with("0x")) return {"<address>", 2 + run_length(text.substr(2), is_hex)};
  if (const std::size_t length = digest_length(text)) return {"<id>", length};
  if (const std::size_t length = number_length(text)) return {"<n>", length};
  return {};
}

/// Cuts valid UTF-8 to at most `max` bytes without splitting a character.
std::string cut(std::string text, std::size_t max) {
  if (text.size() <= max) return text;
  while (max > 0 && (static_cast<unsigned char>(text[max]) & 0xC0) == 0x80) --max;
  text.resize(max);
  return text;
}

/// Drops one prefix in brackets: `[rank3]:`, `(EngineCore pid=7)`, `[core.py:708]`.
bool drop_bracketed(std::string_view& line) {
  if (!line.starts_with('[') && !line.starts_with('(')) return false;
  const std::size_t end = line.find(line.front() == '[' ? ']' : ')');
  constexpr std::size_t kLongest = 48;
  if (end == std::string_view::npos || end > kLongest) return false;
  const std::string_view inside = line.substr(1, end - 1);
  // A prefix names a rank, a process, a file or a logger; `[NCC_EVRF009]` belongs to the message.
  if (!inside.contains("rank") && !inside.contains("pid") && !inside.contains(".py") && !inside.contains("Driver") &&
      !inside.contains("-cc"))
    return false;
  line = line.substr(end + 1);
  if (line.starts_with(':')) line.remove_prefix(1);
  return true;
}

/// Drops one word that is a time, a date or a level; after such a word also a plain number, the process.
bool drop_stamp(std::string_view& line, bool after_stamp) {
  const std::string_view word = line.substr(0, std::min(line.find(' '), line.size()));
  const bool is_level = word == "ERROR" || word == "USER" || word == "INFO" || word == "CRITICAL";
  const bool is_numeric = std::ranges::count_if(word, is_digit) * 2 > std::ssize(word);
  const bool is_stamp = is_numeric && (after_stamp || word.find_first_of(":-/") != std::string_view::npos);
  if (word.empty() || word.size() == line.size() || (!is_level && !is_stamp)) return false;
  line = line.substr(word.size());
  return true;
}

/// Length of the escape sequence (ECMA-48) at the start of `text`, which begins with ESC.
std::size_t escape_length(std::string_view text) {
  constexpr std::size_t kLongest = 256;  // what is longer is no sequence but a stray ESC
  const auto is_in = [](char c, char first, char last) { return c >= first && c <= last; };
  if (text.starts_with("\x1b[")) {
    const std::size_t end = 2 + run_length(text.substr(2, kLongest), [&](char c) { return is_in(c, ' ', '?'); });
    return end < text.size() && is_in(text[end], '@', '~') ? end + 1 : 1;
  }
  if (text.starts_with("\x1b]")) {
    const std::size_t end = text.substr(0, kLongest).find('\a');
    return end == std::string_view::npos ? 1 : end + 1;
  }
  return text.size() > 1 && is_in(text[1], '@', '_') ? 2 : 1;
}

}  // namespace

std::string without_terminal_codes(std::string_view log) {
  std::string result;
  while (!log.empty()) {
    const std::size_t plain = std::min(log.find('\x1b'), log.size());
    result += log.substr(0, plain);
    log.remove_prefix(plain);
    if (!log.empty()) log.remove_prefix(escape_length(log));
  }
  return result;
}

std::string normalise(std::string_view text) {
  std::string result;
  text = text.substr(0, 4 * kMaxNormalised);  // more cannot matter, and a line may be megabytes long
  while (!text.empty() && result.size() < kMaxNormalised) {
    const auto [stand_in, length] = variable(text, result);
    if (length > 0) {
      result += stand_in;
      text.remove_prefix(length);
    } else {
      if (text.front() != ' ' || !result.ends_with(' ')) result += text.front();
      text.remove_prefix(1);
    }
  }
  return cut(to_valid_utf8(trim(result)), kMaxNormalised);
}

Failure make_failure(std::string_view failure_class, const std::vector<std::string>& details, std::string message) {
  const auto kind = find_failure_class(failure_class);
  CHECK(kind);
  std::string signature(failure_class);
  for (const std::string& detail : details) signature.append(":").append(normalise(detail));
  return {*kind, std::move(signature), std::move(message)};
}

std::string message_of(std::string_view line) {
  line = trim(line);
  bool after_stamp = false;
  for (std::string_view rest = line; drop_bracketed(rest) || drop_stamp(rest, after_stamp); after_stamp = true) {
    rest = trim(rest);
    if (rest.starts_with(':')) rest = trim(rest.substr(1));
    if (rest.empty()) break;
    line = rest;
  }
  return cut(to_valid_utf8(line.substr(0, kMaxMessage)), kMaxMessage);
}

}  // namespace willitrun
