#include "verify/line_pattern.h"

#include <algorithm>

#include "base/check.h"
#include "base/text.h"

namespace willitrun {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Tells whether one word goes on across `at`.
bool is_inside_word(std::string_view text, std::size_t at) {
  const auto in_word = [](char c) { return is_letter(c) || is_digit(c) || c == '_'; };
  return at > 0 && at < text.size() && in_word(text[at - 1]) && in_word(text[at]);
}

/// Length of the word at the start of `text`; 0 when there is none.
std::size_t word_length(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size()) {
    if (text.substr(end).starts_with("::")) {
      end += 2;
    } else if (is_letter(text[end]) || is_digit(text[end]) || std::string_view("_.-+/").contains(text[end])) {
      ++end;
    } else {
      break;
    }
  }
  while (end > 0 && std::string_view(".-+/:").contains(text[end - 1])) --end;
  return end;
}

std::size_t number_length(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && is_digit(text[end])) ++end;
  return end;
}

}  // namespace

LinePattern::Piece LinePattern::read_piece(std::string_view& pattern) {
  const bool hole = pattern.front() == '{';
  const std::size_t end = hole ? pattern.find('}') : std::min(pattern.find('{'), pattern.size());
  CHECK(end != std::string_view::npos);
  std::string_view text = hole ? pattern.substr(1, end - 1) : pattern.substr(0, end);
  pattern.remove_prefix(hole ? end + 1 : end);
  if (!hole) {
    const bool starts_word = text.starts_with('|');
    const bool ends_word = text.size() > 1 && text.ends_with('|');
    text = text.substr(starts_word, text.size() - starts_word - ends_word);
    return {Kind::Literal, to_lower(text), starts_word, ends_word};
  }
  if (text.empty()) return {.kind = Kind::Word, .text = {}};
  if (text == "#") return {.kind = Kind::Number, .text = {}};
  if (text == "...") return {.kind = Kind::Rest, .text = {}};
  return {.kind = Kind::CapturedLiteral, .text = to_lower(text)};
}

LinePattern::LinePattern(std::string_view pattern) {
  for (std::string_view rest : split(pattern, '*')) {
    Part part;
    while (!rest.empty()) {
      part.push_back(read_piece(rest));
      if (part.back().text.size() > literal_.size()) literal_ = part.back().text;
    }
    CHECK(!part.empty() && !part.front().text.empty());
    parts_.push_back(std::move(part));
  }
}

std::optional<std::size_t> LinePattern::match_at(const Part& part, const Line& line, std::size_t at,
                                                 Captures& captures) {
  for (const Piece& piece : part) {
    const std::string_view rest = line.text.substr(at);
    std::size_t length = 0;
    switch (piece.kind) {
      case Kind::Literal:
      case Kind::CapturedLiteral: length = line.lower.substr(at).starts_with(piece.text) ? piece.text.size() : 0; break;
      case Kind::Word: length = word_length(rest); break;
      case Kind::Number: length = number_length(rest); break;
      case Kind::Rest: length = rest.size(); break;
    }
    if (length == 0) return std::nullopt;
    if (piece.starts_word && is_inside_word(line.text, at)) return std::nullopt;
    if (piece.ends_word && is_inside_word(line.text, at + length)) return std::nullopt;
    if (piece.kind == Kind::Number) {
      captures.numbers.push_back(rest.substr(0, length));
    } else if (piece.kind != Kind::Literal) {
      captures.words.push_back(rest.substr(0, length));
    }
    at += length;
  }
  return at;
}

std::optional<std::size_t> LinePattern::match_part(const Part& part, const Line& line, std::size_t from,
                                                   Captures& captures) {
  const Captures before = captures;
  for (;;) {
    const std::size_t at = line.lower.find(part.front().text, from);
    if (at == std::string_view::npos) return std::nullopt;
    if (const auto end = match_at(part, line, at, captures)) return end;
    captures = before;
    from = at + 1;
  }
}

std::optional<Captures> LinePattern::match(std::string_view line, std::string_view lower) const {
  Captures captures;
  std::size_t from = 0;
  for (const Part& part : parts_) {
    const auto end = match_part(part, {line, lower}, from, captures);
    if (!end) return std::nullopt;
    from = *end;
  }
  return captures;
}

}  // namespace willitrun
