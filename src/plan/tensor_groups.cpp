#include "plan/tensor_groups.h"

#include <algorithm>
#include <span>
#include <unordered_map>
#include <unordered_set>

#include "plan/model_layout.h"

namespace willitrun {
namespace {

// A number below this may mean something of its own; a longer list is a list of like parts.
constexpr std::uint32_t kSmallNumbers = 4;
constexpr std::uint32_t kLargestNumber = 1'000'000;

using Numbers = std::span<const std::uint32_t>;

/// All tensors of one name pattern.
struct Family {
  std::string pattern;
  std::size_t num_numbers = 0;  ///< In each of the names.
  std::vector<const TensorInfo*> tensors;
  std::vector<const Header*> headers;
  std::vector<std::uint32_t> all_numbers;  ///< Those of the first tensor, of the second, ...

  Numbers numbers(std::size_t tensor) const { return Numbers(all_numbers).subspan(tensor * num_numbers, num_numbers); }
};

/// Reads a name part that is a number between dots, if it is one.
bool read_number(std::string_view part, std::uint32_t& number) {
  if (part.empty() || part.size() > 6) return false;
  number = 0;
  for (const char c : part) {
    if (c < '0' || c > '9') return false;
    number = number * 10 + static_cast<std::uint32_t>(c - '0');
  }
  return number < kLargestNumber;
}

/// Splits a name into its pattern (with `*`) and its numbers.
void take_apart(std::string_view name, std::string& pattern, std::vector<std::uint32_t>& numbers) {
  pattern.clear();
  numbers.clear();
  for (std::size_t start = 0; start <= name.size();) {
    const std::size_t dot = std::min(name.find('.', start), name.size());
    const std::string_view part = name.substr(start, dot - start);
    std::uint32_t number = 0;
    if (start > 0) pattern.push_back('.');
    if (read_number(part, number)) {
      pattern.push_back('*');
      numbers.push_back(number);
    } else {
      pattern += part;
    }
    start = dot + 1;
  }
}

/// Writes a pattern with a stand-in for each varying number and the others as they are.
std::string fill_in(const std::string& pattern, Numbers numbers, const std::vector<bool>& varies) {
  std::string out;
  std::size_t index = 0, varying = 0;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const bool is_number = pattern[i] == '*' && (i == 0 || pattern[i - 1] == '.') &&
                           (i + 1 == pattern.size() || pattern[i + 1] == '.') && index < numbers.size();
    if (!is_number) {
      out.push_back(pattern[i]);
      continue;
    }
    out += varies[index] ? stand_in(varying++) : std::to_string(numbers[index]);
    ++index;
  }
  return out;
}

/// Splits a family into groups of equal shape, dtype and small numbers.
void split_family(const Family& family, std::vector<TensorGroup>& groups) {
  const std::size_t count = family.num_numbers;
  std::vector<bool> varies(count, false);
  for (std::size_t i = 0; i < family.all_numbers.size(); ++i)
    if (family.all_numbers[i] >= kSmallNumbers) varies[i % count] = true;
  const std::size_t first = groups.size();
  std::size_t last_used = first;
  std::vector<Numbers> small;  // the small numbers of each new group
  const auto fits = [&](std::size_t group, const TensorInfo& tensor, std::span<const std::uint64_t> shape,
                        Numbers numbers) {
    if (groups[group].dtype != tensor.dtype || !std::ranges::equal(groups[group].shape, shape)) return false;
    for (std::size_t i = 0; i < count; ++i)
      if (!varies[i] && small[group - first][i] != numbers[i]) return false;
    return true;
  };
  for (std::size_t t = 0; t < family.tensors.size(); ++t) {
    const TensorInfo& tensor = *family.tensors[t];
    const auto shape = family.headers[t]->shape(tensor);
    const Numbers numbers = family.numbers(t);
    std::size_t group = last_used;
    if (group >= groups.size() || !fits(group, tensor, shape, numbers))
      for (group = first; group < groups.size() && !fits(group, tensor, shape, numbers);) ++group;
    if (group == groups.size()) {
      groups.push_back({fill_in(family.pattern, numbers, varies), tensor.dtype, {shape.begin(), shape.end()}, {}});
      small.push_back(numbers);
    }
    last_used = group;
    std::vector<std::uint32_t> varying;
    varying.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
      if (varies[i]) varying.push_back(numbers[i]);
    groups[group].numbers.push_back(std::move(varying));
  }
}

}  // namespace

std::string stand_in(std::size_t index) { return std::to_string(987'654'000 + index); }

std::vector<TensorGroup> group_tensors(const Checkpoint& checkpoint) {
  const std::unordered_set<const TensorInfo*> replaced(checkpoint.duplicates.begin(), checkpoint.duplicates.end());
  std::unordered_map<std::string, std::size_t> numbers_of_patterns;
  std::vector<Family> families;
  std::string pattern;
  std::vector<std::uint32_t> numbers;
  for (const Shard& shard : checkpoint.shards)
    for (const TensorInfo& tensor : shard.header.tensors) {
      if (!replaced.empty() && replaced.contains(&tensor)) continue;
      take_apart(tensor.name, pattern, numbers);
      const auto [entry, is_new] = numbers_of_patterns.try_emplace(pattern, families.size());
      if (is_new) families.push_back({.pattern = pattern, .num_numbers = numbers.size()});
      Family& family = families[entry->second];
      family.tensors.push_back(&tensor);
      family.headers.push_back(&shard.header);
      family.all_numbers.insert(family.all_numbers.end(), numbers.begin(), numbers.end());
    }
  std::vector<TensorGroup> groups;
  for (const Family& family : families) split_family(family, groups);
  return groups;
}

std::vector<std::size_t> stand_ins_in(const std::string& name, std::size_t count) {
  std::vector<std::pair<std::size_t, std::size_t>> found;
  for (std::size_t i = 0; i < count; ++i)
    if (const auto at = name.find(stand_in(i)); at != std::string::npos) found.emplace_back(at, i);
  std::sort(found.begin(), found.end());
  std::vector<std::size_t> order;
  for (const auto& [at, index] : found) order.push_back(index);
  return order;
}

}  // namespace willitrun
