#include "os/temporary_file.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "os/file.h"
#include "testing/temp_folder.h"

namespace willitrun {
namespace {

namespace fs = std::filesystem;

/// Kills a process while it writes a temporary file for `path`.
void leave_unfinished(const fs::path& path) {
  const pid_t writer = ::fork();
  if (writer == 0) {
    auto file = TemporaryFile::create_beside(path);
    if (file && file->write_and_sync("part")) ::kill(::getpid(), SIGKILL);
    ::_exit(1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(writer, &status, 0), writer);
  ASSERT_TRUE(WIFSIGNALED(status));
}

std::size_t num_entries(const fs::path& folder) { return list_folder(folder).value().size(); }

TEST(TemporaryFile, GetsItsName) {
  const TempFolder folder;
  auto file = TemporaryFile::create_beside(folder.path() / "f");
  ASSERT_TRUE(file) << file.error().message;
  ASSERT_TRUE(file->write_and_sync("new"));
  ASSERT_TRUE(file->rename_to(folder.path() / "f"));
  EXPECT_EQ(list_folder(folder.path()).value(), std::vector<std::string>{"f"});
  EXPECT_EQ(read_file(folder.path() / "f").value(), "new");
}

TEST(TemporaryFile, GoesWithItsWriter) {
  const TempFolder folder;
  {
    ASSERT_TRUE(TemporaryFile::create_beside(folder.path() / "f"));
  }
  EXPECT_EQ(num_entries(folder.path()), 0U);
  EXPECT_EQ(TemporaryFile::create_beside(folder.path() / "none" / "f").error().code, Code::NotFound);
}

TEST(TemporaryFile, OfAKilledWriterIsRemovedByTheNextWriterOfThatFile) {
  const TempFolder folder;
  leave_unfinished(folder.path() / "f");
  leave_unfinished(folder.path() / "g");
  const auto living = TemporaryFile::create_beside(folder.path() / "f");
  ASSERT_TRUE(living) << living.error().message;
  ASSERT_EQ(num_entries(folder.path()), 3U);
  ASSERT_TRUE(write_file_atomically(folder.path() / "f", "new"));
  EXPECT_EQ(num_entries(folder.path()), 3U) << "f, the living writer's, and that for g";
  EXPECT_EQ(read_file(folder.path() / "f").value(), "new");
}

TEST(TemporaryFile, OfKilledWritersAreRemovedBelowAFolder) {
  const TempFolder folder;
  ASSERT_TRUE(write_file_atomically(folder.path() / "a" / "kept", "kept"));
  leave_unfinished(folder.path() / "a" / "f");
  leave_unfinished(folder.path() / "g");
  remove_abandoned_temporaries_below(folder.path());
  EXPECT_EQ(list_folder(folder.path()).value(), std::vector<std::string>{"a"});
  EXPECT_EQ(list_folder(folder.path() / "a").value(), std::vector<std::string>{"kept"});
}

}  // namespace
}  // namespace willitrun
