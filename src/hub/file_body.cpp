#include "hub/file_body.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "hub/memory_body.h"
#include "os/file.h"

namespace willitrun {
namespace {

/// Git's object id of a file is the SHA-1 of this header and the content; LFS names the content by its SHA-256.
Digest new_digest(const HubFile& file) {
  if (!file.lfs_sha256.empty()) return Digest(DigestKind::Sha256);
  Digest digest(DigestKind::Sha1);
  digest.update(fmt::format("blob {}", file.size_bytes));
  digest.update(std::string_view("\0", 1));
  return digest;
}

/// Digests an open file from its current position to the end; returns the bytes read.
Result<std::uint64_t> digest_rest(int fd, const std::filesystem::path& path, Digest& digest) {
  std::string buffer(1 << 20, '\0');
  std::uint64_t total = 0;
  for (;;) {
    const ssize_t got = ::read(fd, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail(errno_error("cannot read", path));
    if (got == 0) return total;
    digest.update({buffer.data(), static_cast<std::size_t>(got)});
    total += static_cast<std::uint64_t>(got);
  }
}

}  // namespace

FileBody::FileBody(const Download& download, const DownloadProgress& progress, FileDescriptor file)
    : download_(&download), progress_(&progress), file_(std::move(file)), digest_(new_digest(download.file)) {}

Result<FileBody> FileBody::open(const Download& download, const DownloadProgress& progress) {
  RETURN_IF_ERROR(make_folder(download.to.parent_path()));
  FileDescriptor file(::open(download.to.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644));
  if (!file.is_open()) return fail(errno_error("cannot open", download.to));
  FileBody body(download, progress, std::move(file));
  RETURN_IF_ERROR(body.digest_existing());
  return body;
}

Status FileBody::digest_existing() {
  ASSIGN_OR_RETURN(position_, digest_rest(file_.get(), download_->to, digest_));
  if (position_ > download_->file.size_bytes) RETURN_IF_ERROR(restart());
  was_resumed_ = position_ > 0;
  if (was_resumed_ && *progress_) (*progress_)(position_);
  return {};
}

Status FileBody::restart() {
  if (::ftruncate(file_.get(), 0) != 0 || ::lseek(file_.get(), 0, SEEK_SET) != 0)
    return fail(errno_error("cannot empty", download_->to));
  digest_ = new_digest(download_->file);
  position_ = 0;
  was_resumed_ = false;
  return {};
}

std::vector<std::string> FileBody::request_headers() const {
  if (position_ == 0) return {};
  std::vector<std::string> headers = {fmt::format("Range: bytes={}-", position_)};
  if (!etag_.empty()) headers.push_back("If-Range: " + etag_);
  return headers;
}

Status FileBody::begin(const HttpAnswer& answer) {
  const std::string_view etag = answer.header("etag");
  if (answer.status != 206 && position_ > 0) RETURN_IF_ERROR(restart());
  if (answer.status == 206 && content_range_start(answer.header("content-range")) != position_)
    return fail(Code::Corruption,
                fmt::format("the Hub did not continue '{}' at byte {}", download_->file.path, position_));
  etag_ = etag.starts_with('"') ? etag : "";  // A weak ETag (W/) may not stand in If-Range (RFC 9110, 13.1.5).
  return {};
}

Result<bool> FileBody::append(std::string_view bytes) {
  if (bytes.size() > download_->file.size_bytes - position_)
    return fail(Code::Corruption, fmt::format("'{}' is longer than the {} bytes that the Hub lists",
                                              download_->file.path, download_->file.size_bytes));
  RETURN_IF_ERROR(write_all(file_.get(), download_->to, bytes));
  digest_.update(bytes);
  position_ += bytes.size();
  if (*progress_) (*progress_)(bytes.size());
  return true;
}

Status FileBody::finish() {
  if (!is_full())
    return fail(Code::Corruption, fmt::format("'{}' ended after {} of {} bytes", download_->file.path, position_,
                                              download_->file.size_bytes));
  const std::string digest = digest_.finish();
  if (digest != download_->file.etag())
    return fail(Code::Corruption, fmt::format("'{}' has the hash {}, but the Hub lists {}", download_->file.path,
                                              digest, download_->file.etag()));
  if (::fsync(file_.get()) != 0) return fail(errno_error("cannot sync", download_->to));
  return {};
}

Result<bool> has_listed_digest(const std::filesystem::path& path, const HubFile& file) {
  const FileDescriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.is_open()) return fail(errno_error("cannot open", path));
  Digest digest = new_digest(file);
  ASSIGN_OR_RETURN(const std::uint64_t size, digest_rest(fd.get(), path, digest));
  return size == file.size_bytes && digest.finish() == file.etag();
}

}  // namespace willitrun
