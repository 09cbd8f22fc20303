#include "os/temporary_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <random>
#include <string>

#include "os/file.h"

namespace willitrun {
namespace {

namespace fs = std::filesystem;

fs::path temporary_name(const fs::path& path) {
  std::random_device chance;
  return path.parent_path() / fmt::format(".{}.{:08x}{:08x}.tmp", path.filename().string(), chance(), chance());
}

bool is_temporary_name(std::string_view name) { return name.starts_with('.') && name.ends_with(".tmp"); }

/// Tells whether the file is ours: between its creation and its lock, somebody who sweeps may have taken it for
/// abandoned.
bool is_locked_and_there(const FileDescriptor& file) {
  struct stat info = {};
  return ::flock(file.get(), LOCK_EX | LOCK_NB) == 0 && ::fstat(file.get(), &info) == 0 && info.st_nlink > 0;
}

void remove_if_abandoned(const fs::path& temporary) {
  const FileDescriptor file(::open(temporary.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.is_open() && ::flock(file.get(), LOCK_EX | LOCK_NB) == 0) ::unlink(temporary.c_str());
}

}  // namespace

Result<TemporaryFile> TemporaryFile::create_beside(const fs::path& path) {
  for (;;) {
    fs::path temporary = temporary_name(path);
    FileDescriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
    if (!file.is_open()) return fail(errno_error("cannot create", temporary));
    if (is_locked_and_there(file)) return TemporaryFile(std::move(temporary), std::move(file));
    ::unlink(temporary.c_str());
  }
}

TemporaryFile::TemporaryFile(TemporaryFile&& other) noexcept
    : path_(std::exchange(other.path_, {})), file_(std::move(other.file_)) {}

TemporaryFile::~TemporaryFile() {
  if (!path_.empty()) ::unlink(path_.c_str());
}

Status TemporaryFile::write(std::string_view content) {
  RETURN_IF_ERROR(write_all(file_.get(), path_, content));
  return {};
}

Status TemporaryFile::write_and_sync(std::string_view content) {
  RETURN_IF_ERROR(write(content));
  if (::fsync(file_.get()) != 0) return fail(errno_error("cannot sync", path_));
  return {};
}

Status TemporaryFile::rename_to(const fs::path& path) {
  RETURN_IF_ERROR(rename_and_sync(path_, path));
  path_.clear();
  return {};
}

Status TemporaryFile::rename_soon(const fs::path& path) {
  if (::rename(path_.c_str(), path.c_str()) != 0) return fail(errno_error("cannot replace", path));
  path_.clear();
  return {};
}

void remove_abandoned_temporaries(const fs::path& path) {
  const std::string prefix = fmt::format(".{}.", path.filename().string());
  std::error_code error;
  for (fs::directory_iterator entry(path.parent_path(), error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with(prefix) && is_temporary_name(name)) remove_if_abandoned(entry->path());
  }
}

void remove_abandoned_temporaries_below(const fs::path& folder) {
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (is_temporary_name(entry->path().filename().string())) remove_if_abandoned(entry->path());
}

}  // namespace willitrun
