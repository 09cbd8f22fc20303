#include "domain/row_stack.h"

#include <gtest/gtest.h>

namespace willitrun {
namespace {

TEST(RowStack, EveryVersionSurvivesTheRow) {
  const Stack stack{"library", "1", "2", "--flags", "3", "4", "5", "6", "7", "8", "9"};
  Row row;
  set_stack(row, stack);
  EXPECT_EQ(stack_of(row), stack);
  EXPECT_EQ(row.neuron_cc_flags, "--flags");
  EXPECT_EQ(row.neuron_driver, "9");
}

TEST(RowStack, AbsentPartsAreAbsentColumns) {
  Row row;
  row.nki = "old";
  set_stack(row, Stack{.library_version = "5.24.0"});
  EXPECT_FALSE(row.nki);
  EXPECT_FALSE(row.neuronx_cc);
  EXPECT_EQ(row.library, "transformers");
}

TEST(RowStack, PublicRowsAreOfTrn2) {
  EXPECT_EQ(target_of(Row{}), "trn2");
  EXPECT_EQ(target_of(Row{.target = "cpu"}), "cpu");
}

}  // namespace
}  // namespace willitrun
