#include "os/mapped_file.h"

#include <gtest/gtest.h>

#include "os/file.h"
#include "testing/temp_folder.h"

namespace willitrun {
namespace {

TEST(MappedFile, ShowsTheContentAlsoAfterTheFileIsReplaced) {
  const TempFolder folder;
  const auto path = folder.path() / "file";
  ASSERT_TRUE(write_file_atomically(path, "old"));
  const auto mapped = MappedFile::open(path);
  ASSERT_TRUE(mapped) << mapped.error().message;
  ASSERT_TRUE(write_file_atomically(path, "newer"));
  EXPECT_EQ(mapped->bytes(), "old");
  EXPECT_EQ(MappedFile::open(path)->bytes(), "newer");
}

TEST(MappedFile, AnEmptyFileHasEmptyBytes) {
  const TempFolder folder;
  ASSERT_TRUE(write_file_atomically(folder.path() / "empty", ""));
  EXPECT_EQ(MappedFile::open(folder.path() / "empty")->bytes(), "");
}

TEST(MappedFile, AMissingFileIsNotFound) {
  const TempFolder folder;
  EXPECT_EQ(MappedFile::open(folder.path() / "none").error().code, Code::NotFound);
}

}  // namespace
}  // namespace willitrun
