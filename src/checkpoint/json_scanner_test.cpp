#include "checkpoint/json_scanner.h"

#include <gtest/gtest.h>

namespace willitrun {
namespace {

bool is_one_value(std::string_view text) {
  JsonScanner scan(text);
  return scan.skip_value() && scan.at_end();
}

TEST(JsonScanner, SkipsEveryKindOfValue) {
  for (const std::string_view text : {"null", "true", "false", "0", "-0", "12", "-1.5", "1e5", "1.0E-07", "\"\"",
                                      "\"a\\u00e9\\\"\"", "[]", "[1, [2]]", "{}", "{\"a\": {\"b\": [true, null]}}"})
    EXPECT_TRUE(is_one_value(text)) << text;
}

TEST(JsonScanner, RefusesWhatIsNotJson) {
  for (const std::string_view text :
       {"",     "nul",     "nulll",    "tru",   "01",         "-",       "1.",          ".5",
        "1e",   "1e+",     "+1",       "1-2",   "\"",         "\"\\x\"", "\"\\ud800\"", "[",
        "[1,]", "{\"a\"}", "{\"a\":}", "{a:1}", "{\"a\":1,}", "NaN",     "Infinity"})
    EXPECT_FALSE(is_one_value(text)) << text;
}

TEST(JsonScanner, ReadsWholeNumbersOfEveryLength) {
  for (const std::string text : {"0", "7", "1234567", "12345678", "123456789", "90000000", "1234567890123456",
                                 "12345678901234567", "9999999999999999999", "18446744073709551615"}) {
    JsonScanner scan(text);
    EXPECT_EQ(scan.unsigned_integer(), std::stoull(text)) << text;
    EXPECT_TRUE(scan.at_end());
    const std::string followed = text + ",23456789";
    JsonScanner before_more(followed);
    EXPECT_EQ(before_more.unsigned_integer(), std::stoull(text)) << followed;
    EXPECT_EQ(before_more.position(), text.size());
  }
  for (const std::string text : {"", "-1", "00", "01234567", "012345678", "1.0", "12345678.5", "1e3", "12345678e3",
                                 "18446744073709551616", "99999999999999999999"})
    EXPECT_FALSE(JsonScanner(text).unsigned_integer()) << text;
}

TEST(JsonScanner, FindsTheEndOfStringsOfEveryLength) {
  for (std::size_t length = 0; length < 40; ++length)
    for (const std::string end : {"\"", "\"x", "\\n\"", "\x01\"", "\xc3\xa9\"", ""}) {
      const std::string text = "\"" + std::string(length, 'a') + end;
      std::vector<std::string> kept;
      JsonScanner scan(text);
      const auto found = scan.string(kept);
      if (end.empty() || end[0] == '\x01') {
        EXPECT_FALSE(found) << text;
        continue;
      }
      const std::string more = end[0] == '\\' ? "\n" : end[0] == '\xc3' ? "\xc3\xa9" : "";
      EXPECT_EQ(found, std::string(length, 'a') + more) << text;
    }
}

TEST(JsonScanner, RefusesToNestWithoutEnd) {
  EXPECT_TRUE(is_one_value(std::string(50, '[') + std::string(50, ']')));
  EXPECT_FALSE(is_one_value(std::string(100'000, '[')));
}

}  // namespace
}  // namespace willitrun
