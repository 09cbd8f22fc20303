#include "lookup/query_match.h"

#include <algorithm>

#include "base/text.h"
#include "domain/version_order.h"

namespace willitrun {
namespace {

bool has(FieldKind kind, std::string_view wanted, std::string_view text) {
  if (kind == FieldKind::Text) return text.find(wanted) != std::string_view::npos;
  if (kind == FieldKind::Version) return version_is_within(text, wanted);
  return matches_wildcard(wanted, text);
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
