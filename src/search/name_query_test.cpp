#include "search/name_query.h"

#include <gtest/gtest.h>

#include "search/fold.h"

namespace willitrun {
namespace {

bool finds(std::string_view text, std::string_view name) { return matches(parse_name_query(text).value(), name); }

TEST(NameQuery, IgnoresCase) {
  EXPECT_TRUE(finds("QWEN3", "Qwen/Qwen3-0.6B"));
  EXPECT_TRUE(finds("qwen3-0.6b", "Qwen/Qwen3-0.6B"));
}

TEST(NameQuery, WordsMayStandInAnyOrder) {
  EXPECT_TRUE(finds("0.6b qwen", "Qwen/Qwen3-0.6B"));
  EXPECT_TRUE(finds("  llama   instruct 8b ", "meta-llama/Llama-3.1-8B-Instruct"));
  EXPECT_FALSE(finds("qwen 7b", "Qwen/Qwen3-0.6B"));
}

TEST(NameQuery, SeparatorsStandForEachOther) {
  for (const char* text : {"llama-3.1", "llama_3_1", "llama.3-1", "llama 3.1"})
    EXPECT_TRUE(finds(text, "meta-llama/Llama-3.1-8B")) << text;
}

TEST(NameQuery, ASeparatorIsNotNothing) {
  EXPECT_FALSE(finds("1.5b", "bigcode/starcoder-15b"));
  EXPECT_FALSE(finds("15b", "Qwen/Qwen2-1.5B"));
}

TEST(NameQuery, SlashIsTheLineBetweenOwnerAndName) {
  EXPECT_TRUE(finds("qwen/qwen3", "Qwen/Qwen3-0.6B"));
  EXPECT_TRUE(finds("meta-llama/", "meta-llama/Llama-3.1-8B"));
  EXPECT_FALSE(finds("/qwen/", "Qwen/Qwen3-0.6B"));
  EXPECT_FALSE(finds("qwen-qwen3", "Qwen/Qwen3-0.6B"));
}

TEST(NameQuery, NothingTypedMatchesEverything) {
  EXPECT_TRUE(finds("", "gpt2"));
  EXPECT_TRUE(finds(" \t\n", "gpt2"));
}

TEST(NameQuery, DropsWordsThatAskForNothingMore) {
  EXPECT_EQ(parse_name_query("qwen qwen3 qwen3 3").value().words, std::vector<std::string>{"qwen3"});
}

TEST(NameQuery, RelaxingSeparatesLettersFromTheDigitsAfterThem) {
  const auto typed = parse_name_query("llama3.1").value();
  EXPECT_FALSE(matches(typed, "meta-llama/Llama-3.1-8B"));
  const auto looser = relaxed(typed);
  ASSERT_TRUE(looser);
  EXPECT_TRUE(matches(*looser, "meta-llama/Llama-3.1-8B"));
  EXPECT_FALSE(relaxed(parse_name_query("llama 8b").value()));
}

TEST(NameQuery, RefusesAMegabyteOfText) {
  const auto refused = parse_name_query(std::string(1 << 20, 'a'));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::InvalidArgument);
  EXPECT_EQ(refused.error().message, "the search text is too long: at most 1024 bytes, this has 1048576");
}

TEST(NameQuery, NeverHoldsTheByteThatEndsNames) {
  const auto query = parse_name_query(std::string_view("a\0b", 3)).value();
  EXPECT_EQ(query.words.front().find(kNameEnd), std::string::npos);
}

TEST(Fold, LeavesBrokenUtf8Alone) { EXPECT_EQ(fold_text("A\xFF\xC3.\x7F"), "a\xFF\xC3-\x01"); }

}  // namespace
}  // namespace willitrun
