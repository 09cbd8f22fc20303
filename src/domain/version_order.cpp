#include "domain/version_order.h"

#include <algorithm>
#include <cstdint>

namespace willitrun {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Takes the run of digits, the run of letters or the single other byte at the start of `text`.
std::string_view take_part(std::string_view& text) {
  std::size_t length = 1;
  if (is_digit(text[0])) {
    while (length < text.size() && is_digit(text[length])) ++length;
  } else if (is_letter(text[0])) {
    while (length < text.size() && is_letter(text[length])) ++length;
  }
  const std::string_view part = text.substr(0, length);
  text.remove_prefix(length);
  return part;
}

/// Compares two runs of digits of any length by their number.
std::strong_ordering compare_numbers(std::string_view a, std::string_view b) {
  a.remove_prefix(std::min(a.find_first_not_of('0'), a.size()));
  b.remove_prefix(std::min(b.find_first_not_of('0'), b.size()));
  if (a.size() != b.size()) return a.size() <=> b.size();
  return a <=> b;
}

/// What the rest of a version says about its place: `rc1` and `.dev0` lie before the version that ends here, `+local`
/// and `.1` behind it.
bool is_before_release(std::string_view rest) {
  if (rest.starts_with('.') || rest.starts_with('-')) rest.remove_prefix(1);
  return !rest.empty() && is_letter(rest[0]) && !rest.starts_with("post");
}

}  // namespace

std::strong_ordering compare_versions(std::string_view a, std::string_view b) {
  if (a.empty() || b.empty()) return b.empty() <=> a.empty();
  while (!a.empty() && !b.empty()) {
    const bool a_is_before = is_before_release(a);
    const bool b_is_before = is_before_release(b);
    if (a_is_before != b_is_before) return b_is_before <=> a_is_before;
    const std::string_view part_a = take_part(a);
    const std::string_view part_b = take_part(b);
    const auto order = is_digit(part_a[0]) && is_digit(part_b[0]) ? compare_numbers(part_a, part_b) : part_a <=> part_b;
    if (order != 0) return order;
  }
  if (!a.empty()) return is_before_release(a) ? std::strong_ordering::less : std::strong_ordering::greater;
  if (!b.empty()) return is_before_release(b) ? std::strong_ordering::greater : std::strong_ordering::less;
  return std::strong_ordering::equal;
}

bool version_is_within(std::string_view version, std::string_view prefix) {
  if (prefix.empty() || !version.starts_with(prefix)) return false;
  return version.size() == prefix.size() || !is_digit(version[prefix.size()]) || !is_digit(prefix.back());
}

std::strong_ordering compare_stacks(const Stack& a, const Stack& b) {
  constexpr std::string Stack::* kMostImportantFirst[] = {
      &Stack::neuronx_cc,      &Stack::transformers, &Stack::library,    &Stack::library_version, &Stack::torch_neuronx,
      &Stack::torch,           &Stack::nki,          &Stack::accelerate, &Stack::neuron_driver,   &Stack::python,
      &Stack::neuron_cc_flags,
  };
  for (const auto field : kMostImportantFirst)
    if (const auto order = compare_versions(a.*field, b.*field); order != 0) return order;
  return std::strong_ordering::equal;
}

}  // namespace willitrun
