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
      pattern += part == "*" ? "**" : part;  // no number: else it would be of a family with numbers
    }
    start = dot + 1;
  }
}

/// Tells whether a name is of a family, and reads its numbers. Cheaper than taking it apart.
bool is_of(const Family& family, std::string_view name, std::vector<std::uint32_t>& numbers) {
  const std::string_view pattern = family.pattern;
  numbers.clear();
  std::size_t at = 0;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const bool is_number =
        pattern[i] == '*' && (i == 0 || pattern[i - 1] == '.') && (i + 1 == pattern.size() || pattern[i + 1] == '.');
    if (!is_number) {
      if (at >= name.size() || name[at++] != pattern[i]) return false;
      continue;
    }
    const std::size_t end = std::min(name.find('.', at), name.size());
    std::uint32_t number = 0;
    if (!read_number(name.substr(at, end - at), number)) return false;
    numbers.push_back(number);
    at = end;
  }
  return at == name.size() && numbers.size() == family.num_numbers;
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

/// Sorts tensors into families.
class Families {
 public:
  void add(const TensorInfo& tensor, const Header& header) {
    Family& family = find(tensor.name);
    family.tensors.push_back(&tensor);
    family.headers.push_back(&header);
    family.all_numbers.insert(family.all_numbers.end(), numbers_.begin(), numbers_.end());
  }

  const std::vector<Family>& all() const { return families_; }

 private:
  /// Layers and experts repeat their families in the same order, so that which followed the last one is tried first.
  Family& find(std::string_view name) {
    if (!families_.empty() && is_of(families_[followers_[last_]], name, numbers_))
      return families_[last_ = followers_[last_]];
    take_apart(name, pattern_, numbers_);
    const auto [entry, is_new] = places_.try_emplace(pattern_, families_.size());
    if (is_new) {
      families_.push_back({.pattern = pattern_, .num_numbers = numbers_.size()});
      followers_.push_back(entry->second);
    }
    followers_[last_] = entry->second;
    return families_[last_ = entry->second];
  }

  std::vector<Family> families_;
  std::vector<std::size_t> followers_;  ///< For each family, which came after it last time.
  std::unordered_map<std::string, std::size_t> places_;
  std::size_t last_ = 0;
  std::string pattern_;
  std::vector<std::uint32_t> numbers_;
};

/// Splits a family into groups of equal shape, dtype and small numbers.
void split_family(const Family& family, std::vector<TensorGroup>& groups) {
  const std::size_t count = family.num_numbers;
  std::vector<bool> varies(count, false);
  for (std::size_t i = 0; i < family.all_numbers.size(); ++i)
    if (family.all_numbers[i] >= kSmallNumbers) varies[i % count] = true;
  const auto num_varying = static_cast<std::size_t>(std::count(varies.begin(), varies.end(), true));
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
      groups.push_back({fill_in(family.pattern, numbers, varies),
                        tensor.dtype,
                        {shape.begin(), shape.end()},
                        NumberRows(num_varying)});
      small.push_back(numbers);
    }
    last_used = group;
    for (std::size_t i = 0; i < count; ++i)
      if (varies[i]) groups[group].numbers.push_back(numbers[i]);
    groups[group].numbers.end_row();
  }
}

}  // namespace

std::string stand_in(std::size_t index) { return std::to_string(987'654'000 + index); }

std::vector<TensorGroup> group_tensors(const Checkpoint& checkpoint) {
  const std::unordered_set<const TensorInfo*> replaced(checkpoint.duplicates.begin(), checkpoint.duplicates.end());
  Families families;
  for (const Shard& shard : checkpoint.shards)
    for (const TensorInfo& tensor : shard.header.tensors)
      if (replaced.empty() || !replaced.contains(&tensor)) families.add(tensor, shard.header);
  std::vector<TensorGroup> groups;
  for (const Family& family : families.all()) split_family(family, groups);
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
