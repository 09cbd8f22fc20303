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

TEST(JsonScanner, RefusesToNestWithoutEnd) {
  EXPECT_TRUE(is_one_value(std::string(50, '[') + std::string(50, ']')));
  EXPECT_FALSE(is_one_value(std::string(100'000, '[')));
}

}  // namespace
}  // namespace willitrun
