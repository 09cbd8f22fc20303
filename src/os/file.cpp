#include "os/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "os/file_descriptor.h"
#include "os/temporary_file.h"

namespace willitrun {
namespace {

namespace fs = std::filesystem;

Code code_of_errno(int number) {
  switch (number) {
    case ENOENT:
    case ENOTDIR: return Code::NotFound;
    case EEXIST: return Code::AlreadyExists;
    case EACCES:
    case EPERM:
    case EROFS: return Code::PermissionDenied;
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
    case EMFILE:
    case ENFILE: return Code::ResourceExhausted;
    default: return Code::Io;
  }
}

Error system_error(std::string_view what, const fs::path& path, const std::error_code& error) {
  errno = error.value();
  return errno_error(what, path);
}

/// Calls read until `count` bytes or the end of the file. Memory is taken for what the file says it has left, and
/// neither cleared nor moved on the way: headers and indexes are megabytes.
Result<std::string> read_from(int fd, const fs::path& path, std::uint64_t count) {
  constexpr std::uint64_t kChunk = 1 << 20, kUnknown = 4096;
  struct stat info = {};
  const off_t position = ::lseek(fd, 0, SEEK_CUR);
  const bool has_size = position >= 0 && ::fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > position;
  const std::uint64_t left = has_size ? static_cast<std::uint64_t>(info.st_size - position) : kUnknown;
  std::string content;
  content.reserve(std::min(count, left + 1));  // One more, in which the end is seen.
  for (bool is_at_end = false; !is_at_end && content.size() < count;) {
    const std::size_t old_size = content.size();
    const std::uint64_t room = content.capacity() > old_size ? content.capacity() - old_size : kChunk;
    const std::size_t wanted = std::min(room, count - old_size);
    ssize_t got = 0;
    content.resize_and_overwrite(old_size + wanted, [&](char* data, std::size_t) {
      got = ::read(fd, data + old_size, wanted);
      return old_size + static_cast<std::size_t>(std::max<ssize_t>(got, 0));
    });
    if (got < 0 && errno != EINTR) return fail(errno_error("cannot read", path));
    is_at_end = got == 0;
  }
  return content;
}

Result<FileDescriptor> open_for_reading(const fs::path& path) {
  FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) return fail(errno_error("cannot open", path));
  return file;
}

Status sync_folder(const fs::path& folder) {
  const FileDescriptor fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd.is_open() || ::fsync(fd.get()) != 0) return fail(errno_error("cannot sync", folder));
  return {};
}

}  // namespace

Status write_all(int fd, const fs::path& path, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(fd, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return fail(errno_error("cannot write", path));
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Status rename_and_sync(const fs::path& from, const fs::path& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) return fail(errno_error("cannot replace", to));
  return sync_folder(to.has_parent_path() ? to.parent_path() : fs::path("."));
}

void FileDescriptor::reset() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

Error errno_error(std::string_view what, const fs::path& path) {
  const int number = errno;
  return Error{code_of_errno(number), fmt::format("{} '{}': {}", what, path.string(), std::strerror(number))};
}

Result<std::string> read_file(const fs::path& path, std::uint64_t max_bytes) {
  ASSIGN_OR_RETURN(const FileDescriptor file, open_for_reading(path));
  ASSIGN_OR_RETURN(std::string content,
                   read_from(file.get(), path, max_bytes == UINT64_MAX ? max_bytes : max_bytes + 1));
  if (content.size() > max_bytes)
    return fail(Code::ResourceExhausted, fmt::format("'{}' is larger than {} bytes", path.string(), max_bytes));
  return content;
}

Result<std::string> read_file_range(const fs::path& path, std::uint64_t offset, std::uint64_t count) {
  ASSIGN_OR_RETURN(const FileDescriptor file, open_for_reading(path));
  if (::lseek(file.get(), static_cast<off_t>(offset), SEEK_SET) < 0) return fail(errno_error("cannot seek in", path));
  return read_from(file.get(), path, count);
}

Result<std::uint64_t> size_of_file(const fs::path& path) {
  struct stat info = {};
  if (::stat(path.c_str(), &info) != 0) return fail(errno_error("cannot look at", path));
  if (!S_ISREG(info.st_mode)) return fail(Code::InvalidArgument, fmt::format("'{}' is not a file", path.string()));
  return static_cast<std::uint64_t>(info.st_size);
}

Status write_file_atomically(const fs::path& path, std::string_view content) {
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  RETURN_IF_ERROR(make_folder(folder));
  ASSIGN_OR_RETURN(TemporaryFile temporary, TemporaryFile::create_beside(path));
  RETURN_IF_ERROR(temporary.write_and_sync(content));
  RETURN_IF_ERROR(temporary.rename_to(path));
  remove_abandoned_temporaries(path);
  return {};
}

Status publish_file(const fs::path& finished, const fs::path& path) {
  ASSIGN_OR_RETURN(const FileDescriptor file, open_for_reading(finished));
  if (::fsync(file.get()) != 0) return fail(errno_error("cannot sync", finished));
  return rename_and_sync(finished, path);
}

Status make_folder(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) return fail(system_error("cannot make folder", path, error));
  return {};
}

Status give_to_user(const fs::path& path, unsigned user) {
  if (::lchown(path.c_str(), user, user) != 0) return fail(errno_error("cannot change the owner of", path));
  return {};
}

Status remove_tree(const fs::path& path) {
  std::error_code error;
  fs::remove_all(path, error);
  if (error) return fail(system_error("cannot remove", path, error));
  return {};
}

Result<std::vector<std::string>> list_folder(const fs::path& path) {
  std::error_code error;
  std::vector<std::string> names;
  for (fs::directory_iterator entry(path, error), end; !error && entry != end; entry.increment(error))
    names.push_back(entry->path().filename().string());
  if (error) return fail(system_error("cannot list", path, error));
  std::ranges::sort(names);
  return names;
}

}  // namespace willitrun
