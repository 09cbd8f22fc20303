#include "lab/reference_cache.h"

#include <fmt/format.h>
#include <unistd.h>

#include "os/file.h"
#include "os/sha256.h"

namespace willitrun {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLargestReport = 16 << 20;

}  // namespace

std::string digest_of(const ReferenceInputs& inputs) {
  return sha256_hex(fmt::format("reference 1\n{}\n{}\n{}\n{}\n{}\nremote code {}\n", inputs.model_identity,
                                sha256_hex(inputs.script), inputs.package_lock, inputs.python, inputs.environment,
                                inputs.remote_code));
}

std::optional<Reference> ReferenceCache::find(const std::string& digest) const {
  const fs::path folder = root_ / digest;
  const auto text = read_file(folder / kReportFile, kLargestReport);
  if (!text) return std::nullopt;
  auto report = parse_report(*text);
  if (!report || !report->result || !size_of_file(folder / kLogitsFile)) return std::nullopt;
  return Reference{std::move(*report), folder / kLogitsFile};
}

Result<Reference> ReferenceCache::store(const std::string& digest, const fs::path& run_folder) const {
  const fs::path unfinished = root_ / fmt::format(".{}.{}", digest, ::getpid());
  RETURN_IF_ERROR(remove_tree(unfinished));
  RETURN_IF_ERROR(make_folder(unfinished));
  for (const char* name : {kReportFile, kLogitsFile}) {
    ASSIGN_OR_RETURN(const std::string content, read_file(run_folder / name));
    RETURN_IF_ERROR(write_file_atomically(unfinished / name, content));
  }
  std::error_code error;
  fs::rename(unfinished, root_ / digest, error);
  if (error && !find(digest)) {  // What is there is broken: it may go.
    RETURN_IF_ERROR(remove_tree(root_ / digest));
    error.clear();
    fs::rename(unfinished, root_ / digest, error);
  }
  RETURN_IF_ERROR(remove_tree(unfinished));  // Still there when another process was faster.
  if (auto reference = find(digest)) return std::move(*reference);
  return fail(Code::Io, fmt::format("cannot keep the reference '{}': {}", digest, error.message()));
}

}  // namespace willitrun
