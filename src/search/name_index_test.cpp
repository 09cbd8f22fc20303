#include "search/name_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include "search/name_index_builder.h"
#include "search/name_index_format.h"

namespace willitrun {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string index_of(const std::vector<std::string>& names) {
  const std::vector<std::string_view> views(names.begin(), names.end());
  return build_name_index(views).value();
}

NameQuery query_of(std::string_view text) { return parse_name_query(text).value(); }

/// Names like the Hub's: a few owners, families and sizes, some with bytes that are not UTF-8.
std::vector<std::string> random_names(std::mt19937& random, std::size_t count) {
  const std::vector<std::string> parts = {
      "Qwen",     "llama", "Mistral", "gpt",  "phi",          "-",    "-", ".", "_", "3", "2", "0.6B", "7b",
      "instruct", "GGUF",  "x",       "\xFF", "\xE6\xA8\xA1", "merge"};
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) {
    std::string name = parts[random() % 5] + (random() % 10 == 0 ? "" : "/");
    for (std::size_t part = 1 + random() % 7; part > 0; --part) name += parts[random() % parts.size()];
    names.push_back(name);
  }
  return names;
}

std::vector<std::uint32_t> matches_simply(const std::vector<std::string>& names, const NameQuery& query,
                                          std::uint32_t from) {
  std::vector<std::uint32_t> found;
  for (std::uint32_t i = from; i < names.size(); ++i)
    if (matches(query, names[i])) found.push_back(i);
  return found;
}

TEST(NameIndex, AnswersInRankOrderAndPageByPage) {
  const std::string bytes = index_of({"b/qwen-2", "a/llama", "a/Qwen", "c/QWEN.3"});
  const auto index = NameIndex::open(bytes).value();
  EXPECT_EQ(index.size(), 4U);
  EXPECT_EQ(index.name(3), "c/QWEN.3");
  const NamePage first = index.find(query_of("qwen"), 0, 2);
  EXPECT_THAT(first.names, ElementsAre(0, 2));
  ASSERT_TRUE(first.next);
  const NamePage second = index.find(query_of("qwen"), *first.next, 2);
  EXPECT_THAT(second.names, ElementsAre(3));
  EXPECT_FALSE(second.next);
}

TEST(NameIndex, CountsExactlyOrMoreThanTheLimit) {
  const std::string bytes = index_of({"b/qwen-2", "a/llama", "a/Qwen", "c/QWEN.3"});
  const auto index = NameIndex::open(bytes).value();
  EXPECT_EQ(index.count(query_of("qwen")).count, 3U);
  EXPECT_TRUE(index.count(query_of("qwen"), 3).exact);
  const NameCount limited = index.count(query_of("qwen"), 2);
  EXPECT_EQ(limited.count, 2U);
  EXPECT_FALSE(limited.exact);
  EXPECT_EQ(index.count(query_of("a")).count, 2U);
  EXPECT_EQ(index.count(query_of("")).count, 4U);
}

TEST(NameIndex, WithoutNamesFindsNothing) {
  const std::string bytes = index_of({});
  const auto index = NameIndex::open(bytes).value();
  EXPECT_EQ(index.size(), 0U);
  EXPECT_THAT(index.find(query_of("a"), 0, 10).names, IsEmpty());
  EXPECT_EQ(index.count(query_of("ab")).count, 0U);
  EXPECT_EQ(index.name(0), "");
}

TEST(NameIndex, AgreesWithTheDefinitionOnRandomNamesAndQueries) {
  std::mt19937 random(11);
  for (int round = 0; round < 12; ++round) {
    const auto names = random_names(random, 1 + random() % 3000);
    const std::string bytes = index_of(names);
    for (const Kernel& kernel : usable_kernels()) {
      const auto index = NameIndex::open(bytes, kernel).value();
      for (int i = 0; i < 60; ++i) {
        const std::string& sample = names[random() % names.size()];
        std::string text = sample.substr(random() % sample.size(), 1 + random() % 8);
        if (random() % 3 == 0) text += " " + sample.substr(0, random() % 3);
        const NameQuery query = query_of(text);
        const auto from = static_cast<std::uint32_t>(random() % names.size());
        ASSERT_EQ(index.find(query, from, names.size()).names, matches_simply(names, query, from)) << text;
        ASSERT_EQ(index.count(query).count, matches_simply(names, query, 0).size()) << text;
      }
    }
  }
}

TEST(NameIndex, TheSameNamesGiveTheSameBytes) {
  std::mt19937 random(3);
  const auto names = random_names(random, 500);
  EXPECT_EQ(index_of(names), index_of(names));
}

TEST(NameIndex, ANameMayHoldTheByteThatEndsNames) {
  const std::string bytes = index_of({std::string("a\0b", 3), "c"});
  const auto index = NameIndex::open(bytes).value();
  EXPECT_EQ(index.name(0),
            "a\x01"
            "b");
  EXPECT_THAT(index.find(query_of("c"), 0, 10).names, ElementsAre(1));
}

TEST(NameIndex, SaysWhatIsWrongWithAFile) {
  const std::string good = index_of({"a/b", "c/d"});
  EXPECT_THAT(NameIndex::open("").error().message, HasSubstr("shorter than its header"));
  EXPECT_THAT(NameIndex::open(good.substr(0, good.size() - 1)).error().message, HasSubstr("instead of"));
  std::string other = good;
  other[0] = 'X';
  EXPECT_THAT(NameIndex::open(other).error().message, HasSubstr("does not begin as an index"));
  other = good;
  other[8] = 9;
  EXPECT_THAT(NameIndex::open(other).error().message, HasSubstr("format 9, this program knows 1"));
  other = good;
  other[40] = '\x55';
  EXPECT_THAT(NameIndex::open(other).error().message, HasSubstr("header does not match"));
}

TEST(NameIndex, VerifyFindsAChangedByte) {
  std::string bytes = index_of({"a/b", "c/d"});
  EXPECT_TRUE(NameIndex::open(bytes)->verify());
  bytes.back() = '\x01';
  EXPECT_EQ(NameIndex::open(bytes)->verify().error().code, Code::Corruption);
}

TEST(NameIndex, DamagedContentNeverLeadsOutsideTheBytes) {
  std::mt19937 random(5);
  const auto names = random_names(random, 400);
  const std::string good = index_of(names);
  for (int round = 0; round < 300; ++round) {
    std::string bytes = good;
    for (int i = 0; i < 200; ++i)
      bytes[sizeof(name_index_format::Header) + random() % (bytes.size() - sizeof(name_index_format::Header))] =
          static_cast<char>(random());
    const auto index = NameIndex::open(bytes).value();
    for (const char* text : {"qwen", "a", "3-", "instruct gguf", "\xFF"}) {
      EXPECT_LE(index.find(query_of(text), 0, 1000).names.size(), 1000U);
      index.count(query_of(text));
    }
    for (std::uint32_t i = 0; i < index.size(); ++i) EXPECT_LE(index.name(i).size(), bytes.size());
  }
}

TEST(NameIndexFormat, Version1IsWrittenAndReadAsItWas) {
  const std::vector<std::string> names = {"Qwen/Qwen3-0.6B", "meta-llama/Llama-3.1-8B", "a/b_c.d e", "gpt2", "x/\xFF"};
  const std::string path = std::string(WILLITRUN_SOURCE_DIR) + "/tests/formats/fixtures/name_index_1.names";
  std::ifstream file(path, std::ios::binary);
  const std::string fixture{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(index_of(names), fixture) << "a changed format needs a new version and a fixture of its own";
  const auto index = NameIndex::open(fixture);
  ASSERT_TRUE(index && index->verify());
  for (std::uint32_t i = 0; i < names.size(); ++i) EXPECT_EQ(index->name(i), names[i]);
  EXPECT_THAT(index->find(query_of("3.1"), 0, 9).names, ElementsAre(1));
}

}  // namespace
}  // namespace willitrun
