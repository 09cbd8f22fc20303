#include "search/kernels.h"

#include <array>
#include <vector>

#include "search/kernel_avx2.h"
#include "search/kernel_portable.h"

namespace willitrun {
namespace {

/// Folded bytes from the most to the least frequent in the ids of the Hub's models; bytes that are not listed are
/// rarer still.
constexpr std::string_view kFrequentFirst = "-eainrtoslmdcb/gpuh2f310wkv458qy7x69jz";

constexpr std::array<std::uint8_t, 256> kFrequency = [] {
  std::array<std::uint8_t, 256> frequency{};
  for (std::size_t i = 0; i < kFrequentFirst.size(); ++i)
    frequency[static_cast<unsigned char>(kFrequentFirst[i])] = static_cast<std::uint8_t>(kFrequentFirst.size() - i);
  return frequency;
}();

std::uint8_t frequency_of(char byte) { return kFrequency[static_cast<unsigned char>(byte)]; }

}  // namespace

RarePair rare_pair(std::string_view word) {
  RarePair pair;
  for (std::size_t i = 1; i < word.size(); ++i)
    if (frequency_of(word[i]) < frequency_of(word[pair.first])) pair.first = i;
  pair.second = pair.first == 0 && word.size() > 1 ? 1 : 0;
  for (std::size_t i = 0; i < word.size(); ++i)
    if (i != pair.first && frequency_of(word[i]) < frequency_of(word[pair.second])) pair.second = i;
  return pair;
}

std::span<const Kernel> usable_kernels() {
  static const std::vector<Kernel> kernels = [] {
    std::vector<Kernel> usable;
    if (avx2_is_usable()) usable.push_back({"avx2", find_avx2, count_names_avx2});
    usable.push_back({"portable", find_portable, count_names_portable});
    return usable;
  }();
  return kernels;
}

const Kernel& best_kernel() { return usable_kernels().front(); }

}  // namespace willitrun
