#include "os/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>

#include "os/file.h"

namespace willitrun {
namespace {

Result<FileDescriptor> open_lock_file(const std::filesystem::path& path) {
  if (path.has_parent_path()) RETURN_IF_ERROR(make_folder(path.parent_path()));
  FileDescriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!file.is_open()) return fail(errno_error("cannot open", path));
  return file;
}

Result<FileDescriptor> open_and_lock(const std::filesystem::path& path, int operation) {
  ASSIGN_OR_RETURN(FileDescriptor file, open_lock_file(path));
  while (::flock(file.get(), operation) != 0)
    if (errno != EINTR) return fail(errno_error("cannot lock", path));
  return file;
}

}  // namespace

Result<FileLock> FileLock::acquire(const std::filesystem::path& path) {
  ASSIGN_OR_RETURN(FileDescriptor file, open_and_lock(path, LOCK_EX));
  return FileLock(std::move(file));
}

Result<FileLock> FileLock::acquire_shared(const std::filesystem::path& path) {
  ASSIGN_OR_RETURN(FileDescriptor file, open_and_lock(path, LOCK_SH));
  return FileLock(std::move(file));
}

Result<std::optional<FileLock>> FileLock::try_acquire(const std::filesystem::path& path) {
  ASSIGN_OR_RETURN(FileDescriptor file, open_lock_file(path));
  if (::flock(file.get(), LOCK_EX | LOCK_NB) == 0) return FileLock(std::move(file));
  if (errno == EWOULDBLOCK) return std::nullopt;
  return fail(errno_error("cannot lock", path));
}

}  // namespace willitrun
