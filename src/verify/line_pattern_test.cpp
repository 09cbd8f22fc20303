#include "verify/line_pattern.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "base/text.h"
#include "verify/literal_scanner.h"
#include "verify/rule_book.h"

namespace willitrun {
namespace {

using testing::ElementsAre;

std::optional<Captures> match(std::string_view pattern, std::string_view line) {
  return LinePattern(pattern).match(line, to_lower(line));
}

TEST(LinePattern, MatchesTextAnywhereInEitherCase) {
  EXPECT_TRUE(match("No Space left", "error: no space LEFT on device"));
  EXPECT_FALSE(match("No space left", "no space  left"));
}

TEST(LinePattern, StarsSkipAnyText) {
  EXPECT_TRUE(match("heads * divisible by * size", "heads (9) must be divisible by the size"));
  EXPECT_FALSE(match("heads * divisible by * size", "divisible by size are the heads"));
}

TEST(LinePattern, CapturesWordsNumbersAndTexts) {
  const auto captures = match("op '{}' got {#} of {NRT_RESOURCE}", "op 'aten::conv2d.out' got 17 of nrt_resource");
  ASSERT_TRUE(captures);
  EXPECT_THAT(captures->words, ElementsAre("aten::conv2d.out", "nrt_resource"));
  EXPECT_THAT(captures->numbers, ElementsAre("17"));
}

TEST(LinePattern, CapturesTheRestOfTheLine) {
  EXPECT_THAT(match("Unsupported: {...}", "x.Unsupported: call to f()")->words, ElementsAre("call to f()"));
  EXPECT_FALSE(match("Unsupported: {...}", "x.Unsupported: "));
}

TEST(LinePattern, AWordEndsBeforePunctuation) {
  EXPECT_THAT(match("install {}", "please install flash-attn. Thanks")->words, ElementsAre("flash-attn"));
  EXPECT_THAT(match("Error: {}: cannot", "Error: libnrt.so.1: cannot open")->words, ElementsAre("libnrt.so.1"));
  EXPECT_FALSE(match("install {}", "please install 'x'"));
}

TEST(LinePattern, ABarIsTheEdgeOfAWord) {
  EXPECT_TRUE(match("|OOM|", "it died (oom)"));
  EXPECT_FALSE(match("|OOM|", "BloomForCausalLM"));
  EXPECT_FALSE(match("|ENOTFOUND", "FileNotFoundError"));
  EXPECT_TRUE(match("|NODE_FAIL", "NODE_FAILURE"));
  EXPECT_TRUE(match("|OOM|", "no room: OOM"));  // looks on behind a place in the middle of a word
  EXPECT_THAT(match("signal {#} of|", "signal 9 off, signal 7 of x")->numbers, ElementsAre("7"));
}

TEST(LinePattern, LooksOnWhenAPlaceFitsOnlyInPart) {
  EXPECT_THAT(match("status={#}", "status=bad status=12")->numbers, ElementsAre("12"));
  EXPECT_THAT(match("a {} b {#}", "a x c a y b 7")->words, ElementsAre("y"));
}

TEST(LiteralScanner, FindsEveryOccurrenceAlsoInsideOthers) {
  const LiteralScanner scanner({"he", "she", "hers", "his"});
  std::vector<std::pair<std::size_t, std::size_t>> found;
  scanner.scan("uSHErs", [&](std::size_t id, std::size_t end) { found.emplace_back(id, end); });
  EXPECT_THAT(found, testing::UnorderedElementsAre(std::pair(1, 4), std::pair(0, 4), std::pair(2, 6)));
}

TEST(LiteralScanner, AgreesWithSearchingForEachLiteralAlone) {
  const std::vector<std::string> literals = {"a",
                                             "ab",
                                             "bab",
                                             "bc",
                                             "bca",
                                             "c",
                                             "caa",
                                             "abab",
                                             "\xff"
                                             "b"};
  const LiteralScanner scanner(literals);
  constexpr std::string_view kLetters = "abcabcABC\xff";
  std::uint32_t random = 1;
  for (int round = 0; round < 200; ++round) {
    std::string text;
    for (int i = 0; i < 60; ++i) {
      random = random * 1664525 + 1013904223;
      text += kLetters[(random >> 16) % kLetters.size()];
    }
    std::vector<std::vector<std::size_t>> found(literals.size());
    scanner.scan(text, [&](std::size_t id, std::size_t end) { found[id].push_back(end); });
    const std::string lower = to_lower(text);
    for (std::size_t id = 0; id < literals.size(); ++id) {
      std::vector<std::size_t> expected;
      for (std::size_t at = lower.find(literals[id]); at != std::string::npos; at = lower.find(literals[id], at + 1))
        expected.push_back(at + literals[id].size());
      EXPECT_EQ(found[id], expected) << text << " / " << literals[id];
    }
  }
}

// A megabyte that is one line, full of the beginnings of patterns, must cost what any other megabyte costs. The limit
// is a hundred times what it takes: quadratic work would take hours.
TEST(RuleBook, ALineThatAlmostMatchesManyTimesIsStillLinear) {
  std::string line;
  while (line.size() < 1'000'000) line += "attention heads size mismatch for nrt_ status=x No module named ' ";
  const auto before = std::chrono::steady_clock::now();
  failure_rule_book().first_match(line, Lines::All, {});
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(20));
}

}  // namespace
}  // namespace willitrun
