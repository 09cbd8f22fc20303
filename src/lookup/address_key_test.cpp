#include "lookup/address_key.h"

#include <gtest/gtest.h>

namespace willitrun {
namespace {

TEST(AddressKey, KeepsPlainCharactersAndWritesAllOthersInHexadecimal) {
  EXPECT_EQ(address_key("NCC_EVRF009"), "NCC_EVRF009");
  EXPECT_EQ(address_key("graph_break:Call to `f()`"), "graph_break~3aCall~20to~20~60f~28~29~60");
  EXPECT_EQ(address_key("../~a"), "..~2f~7ea");
  EXPECT_EQ(address_key("\xc3\xa9"), "~c3~a9");
}

TEST(AddressKey, DifferentTextsHaveDifferentKeys) { EXPECT_NE(address_key("a/b"), address_key("a~2fb")); }

TEST(AddressKey, OfAStackNamesCompilerAndLibrary) {
  Stack stack;
  stack.transformers = "5.24.0";
  EXPECT_EQ(address_key(stack), "-_5.24.0");
  stack.neuronx_cc = "2.28.1+a1";
  EXPECT_EQ(address_key(stack), "2.28.1~2ba1_5.24.0");
}

}  // namespace
}  // namespace willitrun
