#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hub/http_client.h"
#include "hub/hub.h"
#include "os/digest.h"
#include "os/file_descriptor.h"

namespace willitrun {

/// Writes content into a file, going on where an earlier try (of this process or another) stopped, and checks size and
/// digest.
///
/// Content is named by its digest, so a piece that was fetched days ago may be continued: if the pieces do not belong
/// together the digest says so. Within a process If-Range saves even that.
class FileBody : public HttpBody {
 public:
  /// Opens the file and digests what is there already.
  static Result<FileBody> open(const Download& download, const DownloadProgress& progress);

  /// Whether all bytes are there.
  bool is_full() const { return position_ == download_->file.size_bytes; }

  /// Whether some bytes come from before this object's time.
  bool was_resumed() const { return was_resumed_; }

  /// Checks the digest and syncs the file. Corruption when a byte is wrong or missing.
  Status finish();

  std::vector<std::string> request_headers() const override;
  Status begin(const HttpAnswer& answer) override;
  Result<bool> append(std::string_view bytes) override;
  std::uint64_t kept_bytes() const override { return position_; }

 private:
  FileBody(const Download& download, const DownloadProgress& progress, FileDescriptor file);

  Status restart();
  Status digest_existing();

  const Download* download_;
  const DownloadProgress* progress_;
  FileDescriptor file_;
  Digest digest_;
  std::uint64_t position_ = 0;  ///< Bytes written and digested.
  bool was_resumed_ = false;
  std::string etag_;  ///< Strong ETag of the answer that brought the bytes so far; empty when unknown.
};

/// Checks a file on disk against the digest that names it: SHA-256, or git's object id for files kept in git.
Result<bool> has_listed_digest(const std::filesystem::path& path, const HubFile& file);

}  // namespace willitrun
