#include "verify/signature.h"

#include <gtest/gtest.h>

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
  for (const char* text : {"aten::conv2d.out", "NCC_EVRF009", "float16", "and/or", "deadline passed", "q_proj"})
    EXPECT_EQ(normalise(text), text);
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
