#include "server/address.h"

#include <gtest/gtest.h>

namespace willitrun {
namespace {

TEST(Address, IsReadWithItsSegmentsAndQuery) {
  const auto address = parse_address("/api/v1/models/Qwen/a%2Fb%20c/?q=qwen+3%2B&where=");
  ASSERT_TRUE(address);
  EXPECT_EQ(address->segments, (std::vector<std::string>{"api", "v1", "models", "Qwen", "a/b c"}));
  EXPECT_TRUE(address->ends_in_slash);
  EXPECT_EQ(address->value("q"), "qwen 3+");
  EXPECT_EQ(address->value("where"), "");
  EXPECT_EQ(path_of(*address), "/api/v1/models/Qwen/a%2Fb%20c/");
}

TEST(Address, TheRootHasNoSegments) {
  const auto address = parse_address("/");
  ASSERT_TRUE(address);
  EXPECT_TRUE(address->segments.empty());
  EXPECT_EQ(path_of(*address), "/");
}

TEST(Address, WhatIsNoAddressIsRefused) {
  for (const char* target : {"", "x", "http://host/", "*", "//", "/a//b", "/.", "/..", "/a/../b", "/%2e%2e/x", "/%",
                             "/%4", "/%zz", "/%00", "/%0a", "/%ff", "/?a=%ff", "/?a=1&a=2", "/?x=%"})
    EXPECT_FALSE(parse_address(target)) << target;
}

TEST(Address, AnEscapeAtTheVeryEndIsRead) {
  const auto address = parse_address("/a%41");
  ASSERT_TRUE(address);
  EXPECT_EQ(address->segments.front(), "aA");
}

TEST(Address, EverySegmentComesBack) {
  for (const std::string text : {"a b", "a/b", "50%", "\xc3\xa9", "q?x#y&z=+"}) {
    const auto address = parse_address("/" + encode_segment(text));
    ASSERT_TRUE(address) << text;
    EXPECT_EQ(address->segments.front(), text);
  }
}

}  // namespace
}  // namespace willitrun
