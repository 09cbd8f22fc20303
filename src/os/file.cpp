#include "os/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>

#include "base/text.h"
#include "os/file_descriptor.h"

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

/// Calls read until `count` bytes or the end of the file.
Result<std::string> read_from(int fd, const fs::path& path, std::uint64_t count) {
  std::string content;
  constexpr std::uint64_t kChunk = 1 << 20;
  while (content.size() < count) {
    const std::size_t old_size = content.size();
    const std::size_t wanted = std::min(kChunk, count - old_size);
    content.resize(old_size + wanted);
    const ssize_t got = ::read(fd, content.data() + old_size, wanted);
    if (got < 0 && errno == EINTR) {
      content.resize(old_size);
      continue;
    }
    if (got < 0) return fail(errno_error("cannot read", path));
    content.resize(old_size + static_cast<std::size_t>(got));
    if (got == 0) break;
  }
  return content;
}

Result<FileDescriptor> open_for_reading(const fs::path& path) {
  FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) return fail(errno_error("cannot open", path));
  return file;
}

Status write_all(int fd, const fs::path& path, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(fd, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return fail(errno_error("cannot write", path));
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Status sync_folder(const fs::path& folder) {
  const FileDescriptor fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd.is_open() || ::fsync(fd.get()) != 0) return fail(errno_error("cannot sync", folder));
  return {};
}

Status rename_and_sync(const fs::path& from, const fs::path& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) return fail(errno_error("cannot replace", to));
  return sync_folder(to.has_parent_path() ? to.parent_path() : fs::path("."));
}

/// A name beside `path` that no other thread or process uses.
fs::path temporary_name(const fs::path& path) {
  static std::atomic<std::uint64_t> counter = 0;
  return path.parent_path() / fmt::format(".{}.{}.{}.tmp", path.filename().string(), ::getpid(), counter++);
}

/// Tells whether a file's name is one that temporary_name() makes and the process that made it is gone.
bool is_abandoned(std::string_view name) {
  if (!name.starts_with('.') || !name.ends_with(".tmp")) return false;
  const auto parts = split(name, '.');  // "", the file's own name, process, counter, "tmp"
  if (parts.size() < 5) return false;
  const auto process = parse_uint(parts[parts.size() - 3]);
  return process && ::kill(static_cast<pid_t>(*process), 0) != 0 && errno == ESRCH;
}

/// Removes temporary files that writers of `path` left when they were killed; those of living processes stay.
void remove_abandoned_temporaries(const fs::path& path) {
  const std::string prefix = fmt::format(".{}.", path.filename().string());
  std::error_code error;
  for (fs::directory_iterator entry(path.parent_path(), error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with(prefix) && is_abandoned(name)) ::unlink(entry->path().c_str());
  }
}

Status write_and_sync(const fs::path& path, std::string_view content) {
  const FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
  if (!file.is_open()) return fail(errno_error("cannot create", path));
  RETURN_IF_ERROR(write_all(file.get(), path, content));
  if (::fsync(file.get()) != 0) return fail(errno_error("cannot sync", path));
  return {};
}

}  // namespace

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
  const fs::path temporary = temporary_name(path);
  if (auto written = write_and_sync(temporary, content); !written) {
    ::unlink(temporary.c_str());
    return written;
  }
  auto replaced = rename_and_sync(temporary, path);
  if (!replaced) ::unlink(temporary.c_str());
  remove_abandoned_temporaries(path);
  return replaced;
}

Status publish_file(const fs::path& finished, const fs::path& path) {
  ASSIGN_OR_RETURN(const FileDescriptor file, open_for_reading(finished));
  if (::fsync(file.get()) != 0) return fail(errno_error("cannot sync", finished));
  return rename_and_sync(finished, path);
}

void remove_abandoned_temporaries_below(const fs::path& folder) {
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (is_abandoned(entry->path().filename().string())) ::unlink(entry->path().c_str());
}

Status make_folder(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) return fail(system_error("cannot make folder", path, error));
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
