#include "verify/signature.h"

#include <gtest/gtest.h>

#include <set>

#include "base/text.h"
#include "verify/classify.h"

namespace willitrun {
namespace {

TEST(Normalise, TakesOutWhatDiffersBetweenTwoRuns) {
  EXPECT_EQ(normalise("shape '[1, 5, -1, 64]' is invalid"), "shape '[<n>, <n>, -<n>, <n>]' is invalid");
  EXPECT_EQ(normalise("open /home/a/b.py: failed"), "open <path>: failed");
  EXPECT_EQ(normalise("see https://huggingface.co/a/b?x=1, please"), "see <url>?x=<n>, please");
  EXPECT_EQ(normalise("at 0x7f00dead."), "at <address>.");
  EXPECT_EQ(normalise("file 668e50fb9a.csv"), "file <id>.csv");
  EXPECT_EQ(normalise("version 2.28.7631.0 of 2"), "version <n> of <n>");
  EXPECT_EQ(normalise("a   b"), "a b");
}

TEST(Normalise, KeepsWhatNamesTheFailure) {
  for (const char* text : {"aten::conv2d.out", "NCC_EVRF009", "float16", "and/or", "deadline passed", "q_proj",
                           "float8_e4m3fn", "x86_64", "int4_weight_only", "frank9"})
    EXPECT_EQ(normalise(text), text);
}

TEST(Normalise, TakesOutTheNumberOfAThingThatIsCounted) {
  EXPECT_EQ(normalise("lost rank3 of worker11"), "lost rank<n> of worker<n>");
  EXPECT_EQ(normalise("nd0:nc1 failed"), "nd<n>:nc<n> failed");
  EXPECT_EQ(normalise("MODULE_cd5e0485cb697fcd2bf8+56a4bda8"), "MODULE_<id>+<id>");
  EXPECT_EQ(normalise("tolerance 1e-05 or 0.5"), "tolerance <n> or <n>");
}

/// Fills the holes of a template with what differs between two runs; `random` is changed.
std::string fill(std::string_view text, std::uint32_t& random) {
  const auto next = [&](std::uint32_t limit) {
    random = random * 1664525 + 1013904223;
    return (random >> 16) % limit;
  };
  const auto word = [&] {
    std::string letters;
    for (std::uint32_t i = 0; i < 3 + next(6); ++i) letters += static_cast<char>('a' + next(26));
    return letters;
  };
  const auto hex = [&](int digits) {
    std::string number = "0a";  // a digest with neither digits nor letters is a number or a word
    while (std::ssize(number) < digits) number += "0123456789abcdef"[next(16)];
    return number;
  };
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '#': result += std::to_string(next(100'000)); break;
      case '%': result += std::to_string(next(100)) + "." + std::to_string(next(1000)); break;
      case '/': result += "/" + word() + "/" + word() + "_" + std::to_string(next(10)) + "/" + word() + ".py"; break;
      case '@': result += "0x" + hex(12); break;
      case '&': result += hex(16); break;
      case '^': result += "https://" + word() + ".example/" + word() + "/" + std::to_string(next(1000)); break;
      default: result += c;
    }
  }
  return result;
}

constexpr const char* kUnexplained[] = {
    "ValueError: frobnicate got # of # entries",
    "ValueError: frobnicate got # entries",
    "ValueError: cannot frobnicate / at @",
    "RuntimeError: cannot frobnicate / at @",
    "RuntimeError: the float16 path needs # bytes",
    "RuntimeError: the float32 path needs # bytes",
    "RuntimeError: rank# is lost",
    "AssertionError: torch.Size([#, #]) against torch.Size([#])",
    "AssertionError: off by % at step #",
    "KeyError: 'graph &'",
    "OddError: ^ answers nothing",
    "OddError: <Horn object at @> in / line #",
};

TEST(Signature, IsTheSameWhateverNumbersPathsAndAddressesTheRunHad) {
  std::uint32_t random = 7;
  for (const char* text : kUnexplained) {
    const std::string expected = classify({.log = fill(text, random)}).signature;
    for (int round = 0; round < 50; ++round) {
      std::string log = fill("#-01-02 03:04:05 ERROR [rank#]: ", random);
      log.append(fill(text, random)).append("\n");
      EXPECT_EQ(classify({.log = log}).signature, expected) << log;
    }
  }
}

TEST(Signature, IsAnotherOneForAnotherMessage) {
  std::uint32_t random = 7;
  std::set<std::string> signatures;
  for (const char* text : kUnexplained) signatures.insert(classify({.log = fill(text, random)}).signature);
  EXPECT_EQ(signatures.size(), std::size(kUnexplained));
}

TEST(WithoutTerminalCodes, KeepsTheTextAndDropsColoursMovesAndTitles) {
  EXPECT_EQ(without_terminal_codes("\x1b[1;31mRuntime\x1b[0mError\x1b[K: \x1b]0;title\ano"), "RuntimeError: no");
  EXPECT_EQ(without_terminal_codes("plain\ttext\n"), "plain\ttext\n");
}

TEST(WithoutTerminalCodes, EndsAtAnySequenceThatIsCutOff) {
  for (const char* cut : {"a\x1b", "a\x1b[", "a\x1b[31", "a\x1b]0;title without an end"})
    EXPECT_TRUE(without_terminal_codes(cut).starts_with("a")) << cut;
}

TEST(Normalise, CutsLongTextsBetweenCharacters) {
  std::string text;
  while (text.size() < 400) text += "\xC3\xA9";
  EXPECT_LE(normalise(text).size(), 120u);
  EXPECT_TRUE(is_utf8(normalise(text)));
  EXPECT_TRUE(is_utf8(normalise("x" + text)));
}

TEST(Signature, DoesNotDependOnWhereAndWhenItHappened) {
  const auto signature = [](std::string_view log) { return classify({.log = log}).signature; };
  EXPECT_EQ(
      signature(
          "2026-01-02T03:04:05Z ERROR [rank0]: RuntimeError: frobnicate failed at 0x7f01 in /home/a/x.py: 17 of 32"),
      "runtime_error:RuntimeError: frobnicate failed at <address> in <path>: <n> of <n>");
  EXPECT_EQ(
      signature(
          "2025-11-12T13:14:15Z ERROR [rank3]: RuntimeError: frobnicate failed at 0xbeef in /opt/b/c/y.py: 9 of 4096"),
      "runtime_error:RuntimeError: frobnicate failed at <address> in <path>: <n> of <n>");
}

TEST(Message, IsTheLineWithoutWhatLoggersPutBeforeIt) {
  EXPECT_EQ(message_of("2026-Jan-07 07:24:59.0615    58:58    ERROR   NRT:nrt_x   Incompatible runtime state"),
            "NRT:nrt_x   Incompatible runtime state");
  EXPECT_EQ(message_of("[rank1]: ValueError: 404 Client Error"), "ValueError: 404 Client Error");
  EXPECT_EQ(message_of("404 Client Error"), "404 Client Error");
  EXPECT_EQ(message_of("[NCC_EVRF009] too much"), "[NCC_EVRF009] too much");
  EXPECT_EQ(message_of("  "), "");
}

}  // namespace
}  // namespace willitrun
