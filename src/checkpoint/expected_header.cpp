#include "checkpoint/expected_header.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "checkpoint/header.h"

namespace willitrun {
namespace {

constexpr std::uint64_t kReadOfOneFile = 100'000;

// {"__metadata__":{"format":"pt"}} and up to seven spaces at the end.
constexpr std::uint64_t kBytesOfFile = 40;

// "":{"dtype":"BF16","shape":[12345,12345],"data_offsets":[,]}, without the name and the two offsets.
constexpr std::uint64_t kBytesOfTensor = 61;

}  // namespace

std::vector<std::uint64_t> expected_header_ends(const std::vector<ModelFile>& files, const WeightIndex* index) {
  std::vector<std::uint64_t> name_bytes, counts;
  std::unordered_map<std::string_view, std::size_t> numbers;
  if (index != nullptr) {
    name_bytes.resize(index->files.size());
    counts.resize(index->files.size());
    for (const IndexEntry& entry : index->entries) {
      name_bytes[entry.file] += entry.tensor.size();
      ++counts[entry.file];
    }
    for (std::size_t i = 0; i < index->files.size(); ++i) numbers.emplace(index->files[i], i);
  }
  std::vector<std::uint64_t> ends;
  for (const ModelFile& file : files) {
    const auto found = numbers.find(file.name);
    std::uint64_t end = files.size() == 1 ? kReadOfOneFile : kLengthBytes;
    if (found != numbers.end()) {
      const std::uint64_t offset_digits = std::to_string(file.size_bytes).size();
      const std::uint64_t tensors = counts[found->second];
      end = kLengthBytes + kBytesOfFile + name_bytes[found->second] + tensors * (kBytesOfTensor + 2 * offset_digits);
    }
    ends.push_back(std::min({end, kLengthBytes + kMaxHeaderBytes, file.size_bytes}));
  }
  return ends;
}

}  // namespace willitrun
