#include "os/rebuildable_file.h"

#include <gtest/gtest.h>

#include "os/file.h"
#include "testing/temp_folder.h"

namespace willitrun {
namespace {

TEST(RebuildableFile, ReplacesTheContentAndLeavesNothingElse) {
  const TempFolder folder;
  ASSERT_TRUE(write_rebuildable_file(folder.path() / "a" / "x", "old"));
  ASSERT_TRUE(write_rebuildable_file(folder.path() / "a" / "x", "new"));
  EXPECT_EQ(read_file(folder.path() / "a" / "x"), "new");
  EXPECT_EQ(list_folder(folder.path() / "a")->size(), 1U);
}

TEST(RebuildableFile, ThatCannotBeWrittenIsAnErrorAndLeavesNothing) {
  const TempFolder folder;
  ASSERT_TRUE(make_folder(folder.path() / "x"));
  EXPECT_FALSE(write_rebuildable_file(folder.path() / "x", "a folder has that name"));
  EXPECT_EQ(list_folder(folder.path())->size(), 1U);
}

}  // namespace
}  // namespace willitrun
