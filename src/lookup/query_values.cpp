#include "lookup/query_values.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "base/text.h"
#include "base/time.h"

namespace willitrun {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::string_view unquoted(std::string_view text) {
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') return text.substr(1, text.size() - 2);
  return text;
}

/// Splits at `|` outside quotes.
std::vector<std::string_view> alternatives_of(std::string_view text) {
  std::vector<std::string_view> parts;
  bool quoted = false;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') quoted = !quoted;
    if (text[i] != '|' || quoted) continue;
    parts.push_back(text.substr(begin, i - begin));
    begin = i + 1;
  }
  parts.push_back(text.substr(begin));
  return parts;
}

double after(double number) { return std::nextafter(number, kInfinity); }
double before(double number) { return std::nextafter(number, -kInfinity); }

/// The numbers that a value itself stands for: one number, or all moments of a day.
using ReadSpan = Result<NumberSpan> (*)(std::string_view text);

Result<NumberSpan> read_number(std::string_view text) {
  ASSIGN_OR_RETURN(const double number, parse_number(text));
  return NumberSpan{number, number};
}

Result<NumberSpan> read_time(std::string_view text) {
  const auto time = parse_time(text);
  if (!time) return fail(Code::InvalidArgument, fmt::format("'{}' is no date: write 2026-10-31", text));
  constexpr std::size_t kDateOnly = 10;
  const auto begin = static_cast<double>(time->time_since_epoch().count());
  return NumberSpan{begin, text.size() == kDateOnly ? begin + 86'399'999 : begin};
}

Result<NumberSpan> read_flag(std::string_view text) {
  const std::string word = to_lower(text);
  if (word == "true" || word == "yes" || word == "1") return NumberSpan{1, 1};
  if (word == "false" || word == "no" || word == "0") return NumberSpan{0, 0};
  return fail(Code::InvalidArgument, fmt::format("'{}' is neither true nor false", text));
}

ReadSpan reader_of(FieldKind kind) {
  switch (kind) {
    case FieldKind::Number: return read_number;
    case FieldKind::Moment: return read_time;
    case FieldKind::Flag: return read_flag;
    default: return nullptr;
  }
}

/// The numbers that compare like that with a value that itself is a span.
NumberSpan compared(QueryComparison comparison, NumberSpan value) {
  switch (comparison) {
    case QueryComparison::Less: return {-kInfinity, before(value.low)};
    case QueryComparison::LessOrEqual: return {-kInfinity, value.high};
    case QueryComparison::Greater: return {after(value.high), kInfinity};
    case QueryComparison::GreaterOrEqual: return {value.low, kInfinity};
    default: return value;
  }
}

Result<NumberSpan> read_range(std::string_view text, std::size_t dots, ReadSpan read) {
  NumberSpan span{-kInfinity, kInfinity};
  if (dots > 0) {
    ASSIGN_OR_RETURN(const NumberSpan low, read(text.substr(0, dots)));
    span.low = low.low;
  }
  if (dots + 2 < text.size()) {
    ASSIGN_OR_RETURN(const NumberSpan high, read(text.substr(dots + 2)));
    span.high = high.high;
  }
  if (span.low > span.high) return fail(Code::InvalidArgument, fmt::format("the range '{}' is empty", text));
  return span;
}

Result<NumberSpan> read_span(const QueryField& field, QueryComparison comparison, std::string_view text) {
  const ReadSpan read = reader_of(field.kind);
  const std::size_t dots = text.find("..");
  const bool is_plain = comparison == QueryComparison::Has || comparison == QueryComparison::Equal;
  if (dots != std::string_view::npos && is_plain && field.kind != FieldKind::Flag) return read_range(text, dots, read);
  ASSIGN_OR_RETURN(const NumberSpan value, read(text));
  return compared(comparison, value);
}

TextMatch text_match_of(QueryComparison comparison) {
  switch (comparison) {
    case QueryComparison::Has: return TextMatch::Has;
    case QueryComparison::Equal: return TextMatch::Equal;
    case QueryComparison::Less: return TextMatch::Less;
    case QueryComparison::LessOrEqual: return TextMatch::LessOrEqual;
    case QueryComparison::Greater: return TextMatch::Greater;
    case QueryComparison::GreaterOrEqual: return TextMatch::GreaterOrEqual;
  }
  return TextMatch::Has;
}

Status check_comparable(const QueryField& field, QueryComparison comparison) {
  const bool is_plain = comparison == QueryComparison::Has || comparison == QueryComparison::Equal;
  const bool has_order =
      field.kind == FieldKind::Number || field.kind == FieldKind::Moment || field.kind == FieldKind::Version;
  if (is_plain || has_order) return {};
  return fail(Code::InvalidArgument, fmt::format("'{}' has no order: use ':' or '='", field.name));
}

}  // namespace

Result<double> parse_number(std::string_view text) {
  constexpr std::pair<std::string_view, double> kMultiples[] = {
      {"", 1},     {"k", 1e3},    {"m", 1e6},       {"g", 1e9},           {"b", 1e9},
      {"t", 1e12}, {"kib", 1024}, {"mib", 1048576}, {"gib", 1073741824.}, {"tib", 1099511627776.}};
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string unit = to_lower({end, static_cast<std::size_t>(text.data() + text.size() - end)});
  if (error == std::errc() && std::isfinite(number))
    for (const auto& [name, factor] : kMultiples)
      if (unit == name) return number * factor;
  return fail(Code::InvalidArgument, fmt::format("'{}' is no number: write 4, 1.5k, 1M, 7B or 20GiB", text));
}

NumberSpan span_of(QueryComparison comparison, double number) { return compared(comparison, {number, number}); }

Result<Condition> make_condition(const QueryField& field, QueryComparison comparison, std::string_view values) {
  RETURN_IF_ERROR(check_comparable(field, comparison));
  Condition condition{.field = &field};
  for (const std::string_view part : alternatives_of(values)) {
    const std::string_view value = unquoted(part);
    if (value.empty()) return fail(Code::InvalidArgument, fmt::format("'{}' is compared with nothing", field.name));
    if (reader_of(field.kind) != nullptr) {
      ASSIGN_OR_RETURN(const NumberSpan span, read_span(field, comparison, value));
      condition.numbers.push_back(span);
    } else {
      condition.texts.push_back({text_match_of(comparison), to_lower(value)});
    }
  }
  return condition;
}

}  // namespace willitrun
