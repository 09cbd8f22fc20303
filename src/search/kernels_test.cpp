#include "search/kernels.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>

#include "search/fold.h"
#include "search/kernel_portable.h"

namespace willitrun {
namespace {

/// The definition of Kernel::count_names, name by name.
std::uint64_t count_names_simply(std::string_view text, std::string_view word) {
  std::uint64_t count = 0;
  while (!text.empty()) {
    const std::size_t end = text.find(kNameEnd);
    if (text.substr(0, end).find(word) != std::string_view::npos) ++count;
    text.remove_prefix(end + 1);
  }
  return count;
}

/// Names of few different letters, so that words are found often and almost found even more often.
std::string random_names(std::mt19937& random, std::size_t size) {
  constexpr std::string_view kBytes = "aab-/3\x80";
  std::string text;
  while (text.size() < size) {
    text += kBytes[random() % kBytes.size()];
    if (random() % 20 == 0) text += kNameEnd;
  }
  return text + kNameEnd;
}

std::string random_word(std::mt19937& random, std::string_view text) {
  if (random() % 4 == 0) return random_names(random, 1 + random() % 6).substr(0, 1);
  std::string word(text.substr(random() % text.size(), 1 + random() % 40));
  std::erase(word, kNameEnd);
  return word.empty() ? "a" : word;
}

/// Gives exactly the bytes of `text` with nothing readable behind them that belongs to the test: the sanitizers then
/// see any read past the end.
struct ExactCopy {
  explicit ExactCopy(std::string_view text) : bytes(new char[text.size()]), size(text.size()) {
    std::ranges::copy(text, bytes.get());
  }
  std::string_view view() const { return {bytes.get(), size}; }
  std::unique_ptr<char[]> bytes;
  std::size_t size;
};

class KernelTest : public testing::TestWithParam<Kernel> {};

TEST_P(KernelTest, AgreesWithTheStandardLibraryOnRandomNames) {
  std::mt19937 random(7);
  for (int round = 0; round < 4000; ++round) {
    const ExactCopy text(random_names(random, random() % 700));
    const std::string word = random_word(random, text.view());
    ASSERT_EQ(GetParam().find(text.view(), word), text.view().find(word)) << word;
    ASSERT_EQ(GetParam().count_names(text.view(), word), count_names_simply(text.view(), word)) << word;
  }
}

TEST_P(KernelTest, FindsAWordAtEveryPosition) {
  for (std::size_t before = 0; before < 300; ++before) {
    const ExactCopy text(std::string(before, 'x') + "needle" + std::string(1, kNameEnd));
    EXPECT_EQ(GetParam().find(text.view(), "needle"), before);
    EXPECT_EQ(GetParam().count_names(text.view(), "needle"), 1U);
  }
}

TEST_P(KernelTest, CountsANameOnceHoweverOftenItHoldsTheWord) {
  std::string text;
  for (int i = 0; i < 50; ++i) text += std::string(static_cast<std::size_t>(i), 'z') + "ababab" + kNameEnd;
  EXPECT_EQ(GetParam().count_names(text, "ab"), 50U);
  EXPECT_EQ(GetParam().count_names(text, "z"), 49U);
  EXPECT_EQ(GetParam().count_names("", "ab"), 0U);
}

INSTANTIATE_TEST_SUITE_P(Usable, KernelTest, testing::ValuesIn(usable_kernels().begin(), usable_kernels().end()),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(RarePair, PrefersRareBytes) {
  const RarePair pair = rare_pair("needlez");
  EXPECT_EQ(pair.first, 6U);
  EXPECT_EQ(pair.second, 3U);  // d
  EXPECT_EQ(rare_pair("a").first, rare_pair("a").second);
  EXPECT_NE(rare_pair("aa").first, rare_pair("aa").second);
}

}  // namespace
}  // namespace willitrun
