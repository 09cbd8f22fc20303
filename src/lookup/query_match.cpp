#include "lookup/query_match.h"

#include <algorithm>

#include "base/text.h"
#include "domain/version_order.h"

namespace willitrun {
namespace {

/// `*` stands for any characters. Linear in practice: only the last star is ever tried again.
bool matches_pattern(std::string_view pattern, std::string_view text) {
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;
  std::size_t star_text = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_text = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++star_text;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

bool has(FieldKind kind, std::string_view wanted, std::string_view text) {
  if (kind == FieldKind::Text) return text.find(wanted) != std::string_view::npos;
  if (kind == FieldKind::Version) return version_is_within(text, wanted);
  return matches_pattern(wanted, text);
}

bool holds(FieldKind kind, const TextTest& test, std::string_view text) {
  switch (test.match) {
    case TextMatch::Has: return has(kind, test.text, text);
    case TextMatch::Equal: return text == test.text;
    case TextMatch::Less: return compare_versions(text, test.text) < 0;
    case TextMatch::LessOrEqual: return compare_versions(text, test.text) <= 0;
    case TextMatch::Greater: return compare_versions(text, test.text) > 0;
    case TextMatch::GreaterOrEqual: return compare_versions(text, test.text) >= 0;
  }
  return false;
}

}  // namespace

bool text_matches(const Condition& condition, std::string_view text) {
  if (text.empty()) return false;
  const std::string lower = to_lower(text);
  return std::ranges::any_of(condition.texts,
                             [&](const TextTest& test) { return holds(condition.field->kind, test, lower); });
}

bool number_matches(const Condition& condition, double number) {
  return std::ranges::any_of(condition.numbers, [number](NumberSpan span) { return span.holds(number); });
}

}  // namespace willitrun
