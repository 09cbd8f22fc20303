#include "os/file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>

#include "os/digest.h"
#include "os/file_lock.h"
#include "os/home.h"
#include "os/sha256.h"
#include "testing/temp_folder.h"

namespace willitrun {
namespace {

TEST(File, ReadsBackWhatWasWritten) {
  const TempFolder folder;
  const auto path = folder.path() / "deep" / "file";
  ASSERT_TRUE(write_file_atomically(path, "content"));
  EXPECT_EQ(read_file(path).value(), "content");
  EXPECT_EQ(read_file_range(path, 3, 2).value(), "te");
  EXPECT_EQ(read_file_range(path, 5, 100).value(), "nt");
  EXPECT_EQ(size_of_file(path).value(), 7u);
}

TEST(File, SaysWhatIsMissing) {
  const auto missing = read_file("/no/such/file");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, Code::NotFound);
  EXPECT_NE(missing.error().message.find("'/no/such/file'"), std::string::npos);
}

TEST(File, RefusesMoreThanItWasAskedToRead) {
  const TempFolder folder;
  ASSERT_TRUE(write_file_atomically(folder.path() / "f", "12345"));
  EXPECT_TRUE(read_file(folder.path() / "f", 5));
  EXPECT_EQ(read_file(folder.path() / "f", 4).error().code, Code::ResourceExhausted);
}

// The limit on file size makes write() fail half-way, as a full disk does; in a child, for the limit cannot be taken
// back.
TEST(File, KeepsTheOldContentWhenTheNewDoesNotFit) {
  const TempFolder folder;
  const auto path = folder.path() / "f";
  ASSERT_TRUE(write_file_atomically(path, "old"));
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit = {1024, 1024};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const auto written = write_file_atomically(path, std::string(4096, 'x'));
    ::_exit(!written && written.error().code == Code::ResourceExhausted ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(read_file(path).value(), "old");
  EXPECT_EQ(list_folder(folder.path()).value(), std::vector<std::string>{"f"}) << "no temporary file may stay";
}

TEST(File, PublishesAFinishedFileInPlaceOfAnOldOne) {
  const TempFolder folder;
  ASSERT_TRUE(write_file_atomically(folder.path() / "old", "old"));
  ASSERT_TRUE(write_file_atomically(folder.path() / "unfinished", "new"));
  ASSERT_TRUE(publish_file(folder.path() / "unfinished", folder.path() / "old"));
  EXPECT_EQ(read_file(folder.path() / "old").value(), "new");
  EXPECT_EQ(publish_file(folder.path() / "unfinished", folder.path() / "old").error().code, Code::NotFound);
}

TEST(FileLock, IsHeldByOneAtATime) {
  const TempFolder folder;
  const auto path = folder.path() / "lock";
  {
    const auto first = FileLock::acquire(path);
    ASSERT_TRUE(first);
    EXPECT_FALSE(FileLock::try_acquire(path).value().has_value());
  }
  EXPECT_TRUE(FileLock::try_acquire(path).value().has_value());
}

TEST(FileLock, IsSharedByManyButThenNotExclusive) {
  const TempFolder folder;
  const auto path = folder.path() / "lock";
  {
    const auto first = FileLock::acquire_shared(path);
    const auto second = FileLock::acquire_shared(path);
    ASSERT_TRUE(first && second);
    EXPECT_FALSE(FileLock::try_acquire(path).value().has_value());
  }
  EXPECT_TRUE(FileLock::try_acquire(path).value().has_value());
}

TEST(Digest, EqualsThePublishedSha1Vector) {  // FIPS 180-2, appendix A
  Digest digest(DigestKind::Sha1);
  digest.update("a");
  digest.update("bc");
  EXPECT_EQ(digest.finish(), "a9993e364706816aba3e25717850c26c9cd0d89d");
}

TEST(Sha256, EqualsThePublishedVectors) {  // FIPS 180-2, appendix B
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(Home, RefusesAHomeOfANewerVersion) {
  const TempFolder folder;
  ASSERT_TRUE(open_home(folder.path().string()));
  ASSERT_TRUE(open_home(folder.path().string())) << "its own home opens again";
  ASSERT_TRUE(write_file_atomically(folder.path() / "version", "99\n"));
  const auto refused = open_home(folder.path().string());
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("newer willitrun"), std::string::npos);
}

}  // namespace
}  // namespace willitrun
