#include "base/head_tail.h"

#include <gtest/gtest.h>

namespace willitrun {
namespace {

TEST(HeadTail, KeepsEverythingWithinTheCap) {
  HeadTail kept(10);
  kept.add("hello");
  kept.add("world");
  EXPECT_EQ(kept.text(), "helloworld");
}

TEST(HeadTail, LeavesOutTheMiddleAndSaysHowMuch) {
  HeadTail kept(6);
  kept.add("abcdefghij");
  EXPECT_EQ(kept.text(), "abc\n[... 4 bytes left out ...]\nhij");
  EXPECT_EQ(kept.total_bytes(), 10U);
}

TEST(HeadTail, GivesTheSameTextHoweverTheOutputIsCut) {
  const std::string all = "0123456789abcdefghijklmnopqrstuvwxyz";
  HeadTail whole(14);
  whole.add(all);
  for (std::size_t step = 1; step < all.size(); ++step) {
    HeadTail pieces(14);
    for (std::size_t at = 0; at < all.size(); at += step) pieces.add(std::string_view(all).substr(at, step));
    EXPECT_EQ(pieces.text(), whole.text()) << "step " << step;
  }
}

}  // namespace
}  // namespace willitrun
