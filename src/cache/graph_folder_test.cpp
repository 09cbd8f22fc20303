#include "cache/graph_folder.h"

#include <gtest/gtest.h>

#include "testing/temp_folder.h"

namespace willitrun {
namespace {

TEST(GraphFolder, IsNamedAfterTheCompilerAndMadeWhenMissing) {
  const TempFolder folder;
  const auto opened = open_graph_folder(folder.path() / "neff", "2.28.7631.0+abcdef12");
  ASSERT_TRUE(opened) << opened.error().message;
  EXPECT_EQ(*opened, folder.path() / "neff" / "neuronxcc-2.28.7631.0+abcdef12");
  EXPECT_TRUE(std::filesystem::is_directory(*opened));
  EXPECT_EQ(open_graph_folder(folder.path() / "neff", "2.28.7631.0+abcdef12").value(), *opened);
}

TEST(GraphFolder, IsNotSharedByTwoCompilers) {
  const TempFolder folder;
  EXPECT_NE(open_graph_folder(folder.path(), "2.28.1").value(), open_graph_folder(folder.path(), "2.27.1").value());
}

TEST(GraphFolder, RefusesWhatIsNoVersion) {
  const TempFolder folder;
  for (const char* text : {"", "..", "../2.28", "2.28/x", "2.28 "}) {
    const auto opened = open_graph_folder(folder.path(), text);
    ASSERT_FALSE(opened) << text;
    EXPECT_EQ(opened.error().code, Code::InvalidArgument);
  }
}

}  // namespace
}  // namespace willitrun
