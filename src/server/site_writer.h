#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/result.h"
#include "server/site.h"

namespace willitrun {

/// What writing a site did.
struct SiteReport {
  std::size_t num_written = 0;    ///< New or changed.
  std::size_t num_unchanged = 0;  ///< Had these very bytes already.
  std::size_t num_removed = 0;    ///< Of an earlier run, and nothing leads there any more.
};

/// What a host of static files allows.
struct HostLimits {
  std::size_t files = 0;
  std::size_t files_per_folder = 0;
  std::uint64_t file_bytes = 0;  ///< Of an answer; files of the page build may be larger.
};

/// How to write a site.
struct SiteOptions {
  std::optional<HostLimits> limits;
  std::string readme;  ///< Content of README.md; empty: none.
};

/// NotFound, in words for the operator, when a folder is no page build.
Status check_page_build(const ServedFiles* page);

/// Writes the answers of a site as files, laid out as docs/formats/site.md says. Each file is replaced as a whole, and
/// one that has its bytes already is not touched. ResourceExhausted, before anything is written, when the host would
/// not take it.
Result<SiteReport> write_site(Site site, const std::filesystem::path& folder, const SiteOptions& options);

}  // namespace willitrun
