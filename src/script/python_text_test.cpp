#include "script/python_text.h"

#include <gtest/gtest.h>

namespace willitrun {
namespace {

TEST(PythonLiteral, QuotesWhatWouldEndOrChangeIt) {
  EXPECT_EQ(python_literal("Qwen/Qwen3-0.6B"), R"("Qwen/Qwen3-0.6B")");
  EXPECT_EQ(python_literal(R"(say "no" \ n)"), R"("say \"no\" \\ n")");
  EXPECT_EQ(python_literal("two\nlines\r\ttab\x7f"), R"("two\nlines\x0d\x09tab\x7f")");
}

TEST(PythonLiteral, KeepsTextInOtherScripts) { EXPECT_EQ(python_literal("東京"), "\"東京\""); }

TEST(PythonLiteral, ReplacesBytesThatAreNotText) { EXPECT_EQ(python_literal("a\xff"), "\"a\uFFFD\""); }

TEST(DocstringText, CannotEndTheDocstring) { EXPECT_EQ(docstring_text(R"(a"""b\)"), R"(a\"\"\"b\\)"); }

}  // namespace
}  // namespace willitrun
