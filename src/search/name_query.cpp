#include "search/name_query.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "search/fold.h"

namespace willitrun {
namespace {

/// Longest first, so that the first word is the one to scan for; a word inside another asks for nothing more.
NameQuery make_query(std::vector<std::string> words) {
  std::ranges::sort(words, [](const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() > b.size() : a < b;
  });
  NameQuery query;
  for (std::string& word : words) {
    const bool is_part = std::ranges::any_of(
        query.words, [&](const std::string& longer) { return longer.find(word) != std::string::npos; });
    if (!is_part) query.words.push_back(std::move(word));
  }
  return query;
}

bool is_letter(char c) { return c >= 'a' && c <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

Result<NameQuery> parse_name_query(std::string_view text) {
  if (text.size() > kMaxNameQueryBytes)
    return fail(Code::InvalidArgument, fmt::format("the search text is too long: at most {} bytes, this has {}",
                                                   kMaxNameQueryBytes, text.size()));
  std::vector<std::string> words;
  std::string spaced(text);
  std::ranges::replace_if(spaced, [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
  for (const std::string_view word : split(spaced, ' '))
    if (!word.empty()) words.push_back(fold_text(word));
  return make_query(std::move(words));
}

std::optional<NameQuery> relaxed(const NameQuery& query) {
  std::vector<std::string> words;
  for (const std::string& word : query.words) {
    std::size_t begin = 0;
    for (std::size_t i = 1; i < word.size(); ++i) {
      if (!is_letter(word[i - 1]) || !is_digit(word[i])) continue;
      words.push_back(word.substr(begin, i - begin));
      begin = i;
    }
    words.push_back(word.substr(begin));
  }
  NameQuery looser = make_query(std::move(words));
  if (looser == query) return std::nullopt;
  return looser;
}

bool matches(const NameQuery& query, std::string_view name) {
  const std::string folded = fold_text(name);
  return std::ranges::all_of(query.words,
                             [&](const std::string& word) { return folded.find(word) != std::string::npos; });
}

}  // namespace willitrun
