#include "base/text.h"

#include <gtest/gtest.h>

namespace willitrun {
namespace {

TEST(Text, SplitsIntoOnePartMoreThanSeparators) {
  EXPECT_EQ(split("a,,b", ','), (std::vector<std::string_view>{"a", "", "b"}));
  EXPECT_EQ(split("", ','), (std::vector<std::string_view>{""}));
}

TEST(Text, TrimsWhiteSpaceOnly) {
  EXPECT_EQ(trim(" \t a b\n"), "a b");
  EXPECT_EQ(trim(" \n"), "");
}

TEST(Text, MatchesWildcards) {
  EXPECT_TRUE(matches_wildcard("a*b*c", "a-b-b-c"));
  EXPECT_TRUE(matches_wildcard("*", ""));
  EXPECT_TRUE(matches_wildcard("abc**", "abc"));
  EXPECT_FALSE(matches_wildcard("a*b", "a-b-c"));
  EXPECT_FALSE(matches_wildcard("abc", "ABC"));
  EXPECT_FALSE(matches_wildcard("", "a"));
}

TEST(Text, ReadsOnlyWholeNumbersThatFit) {
  EXPECT_EQ(parse_uint("18446744073709551615"), 18446744073709551615u);
  EXPECT_EQ(parse_uint("18446744073709551616"), std::nullopt);
  EXPECT_EQ(parse_uint("-1"), std::nullopt);
  EXPECT_EQ(parse_uint("1 "), std::nullopt);
  EXPECT_EQ(parse_uint(""), std::nullopt);
}

TEST(Text, WritesBytesWithThreeDigits) {
  EXPECT_EQ(human_bytes(1023), "1023 B");
  EXPECT_EQ(human_bytes(1192099840), "1.11 GiB");
  EXPECT_EQ(human_bytes(25769803776), "24.0 GiB");
}

TEST(Text, TellsWellFormedUtf8) {
  EXPECT_TRUE(is_utf8("plain, \xC3\xA9, \xF0\x9F\x98\x80"));
  EXPECT_FALSE(is_utf8("\xC0\xAF"));          // overlong '/'
  EXPECT_FALSE(is_utf8("\xED\xA0\x80"));      // surrogate
  EXPECT_FALSE(is_utf8("\xF4\x90\x80\x80"));  // above U+10FFFF
  EXPECT_FALSE(is_utf8("\xE2\x82"));          // cut short
}

TEST(Text, ReplacesOnlyTheBrokenBytes) {
  EXPECT_EQ(to_valid_utf8("a\xFF"
                          "b"),
            "a\xEF\xBF\xBD"
            "b");
}

}  // namespace
}  // namespace willitrun
