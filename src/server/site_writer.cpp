#include "server/site_writer.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "base/text.h"
#include "os/file.h"
#include "os/rebuildable_file.h"
#include "os/temporary_file.h"
#include "server/data_files.h"
#include "server/handler.h"
#include "server/site_plan.h"

namespace willitrun {
namespace {

namespace fs = std::filesystem;

/// The list of files that are ours, one path a line.
constexpr std::string_view kListName = "site.files";

class Writer {
 public:
  Writer(fs::path folder, const SiteOptions& options) : folder_(std::move(folder)), options_(options) {}

  Status check(const std::vector<std::string>& paths) const {
    if (!options_.limits) return {};
    const HostLimits& limits = *options_.limits;
    std::map<std::string, std::size_t> folders;
    for (const std::string& path : paths) ++folders[fs::path(path).parent_path().string()];
    if (paths.size() > limits.files)
      return fail(Code::ResourceExhausted,
                  fmt::format("the site has {} files, the host takes {}", paths.size(), limits.files));
    for (const auto& [name, count] : folders)
      if (count > limits.files_per_folder)
        return fail(Code::ResourceExhausted, fmt::format("the folder '{}' has {} files, the host takes {}", name, count,
                                                         limits.files_per_folder));
    return {};
  }

  Status write_answer(const std::string& path, std::string_view bytes) {
    if (options_.limits && bytes.size() > options_.limits->file_bytes)
      return fail(Code::ResourceExhausted,
                  fmt::format("'{}' has {} bytes, the host takes {}", path, bytes.size(), options_.limits->file_bytes));
    return write(path, bytes);
  }

  Status write(const std::string& path, std::string_view bytes) {
    ours_.insert(path);
    const auto size = size_of_file(folder_ / path);
    if (size && *size == bytes.size()) {
      const auto known = read_file(folder_ / path);
      if (known && *known == bytes) {
        ++report_.num_unchanged;
        return {};
      }
    }
    ++report_.num_written;
    return write_rebuildable_file(folder_ / path, bytes);
  }

  /// Removes what an earlier run wrote and this one did not; then the list tells of this run.
  Result<SiteReport> finish() {
    const auto list = read_file(folder_ / kListName);
    if (!list && list.error().code != Code::NotFound) return fail(list.error());
    const std::string known = list.value_or("");
    for (const std::string_view path : split(known, '\n')) {
      if (path.empty() || ours_.contains(std::string(path)) || !is_inside(path)) continue;
      RETURN_IF_ERROR(remove_tree(folder_ / path));
      ++report_.num_removed;
    }
    std::string next;
    for (const std::string& path : ours_) next += path + "\n";
    RETURN_IF_ERROR(write_file_atomically(folder_ / kListName, next));
    return report_;
  }

 private:
  /// A list that somebody edited must not reach files elsewhere.
  static bool is_inside(std::string_view path) {
    const fs::path normal = fs::path(path).lexically_normal();
    return normal == fs::path(path) && !normal.is_absolute() && *normal.begin() != ".." && *normal.begin() != ".";
  }

  fs::path folder_;
  const SiteOptions& options_;
  std::set<std::string> ours_;
  SiteReport report_;
};

Status write_answers(const Site& site, const std::vector<PlannedFile>& files, Writer& writer) {
  for (const PlannedFile& file : files) {
    const Response response = handle(Request{.target = file.target}, site);
    if (response.status == 404 && file.may_be_missing) continue;
    if (response.status != 200)
      return fail(Code::Internal,
                  fmt::format("'{}' cannot be written: {} answers {}: {}", file.path, file.target, response.status,
                              response.trouble.empty() ? response.body.bytes() : response.trouble));
    RETURN_IF_ERROR(writer.write_answer(file.path, response.body.bytes()));
  }
  return {};
}

}  // namespace

Status check_page_build(const ServedFiles* page) {
  if (page != nullptr && page->find("index.html") != nullptr) return {};
  return fail(Code::NotFound,
              "the page was not built with this program: run `make build`, or name a build with --page");
}

Result<SiteReport> write_site(Site site, const fs::path& folder, const SiteOptions& options) {
  RETURN_IF_ERROR(check_page_build(site.page.get()));
  site.queue = nullptr;
  site.written = plan_comparisons(*site.content.snapshot);
  const auto files = plan_files(site);
  std::vector<std::string> paths;
  for (const PlannedFile& file : files) paths.push_back(file.path);
  for (const auto& [path, served] : site.page->all()) paths.push_back(path);
  remove_abandoned_temporaries_below(folder);
  Writer writer(folder, options);
  RETURN_IF_ERROR(writer.check(paths));
  for (const auto& [path, served] : site.page->all())
    if (path != "index.html") RETURN_IF_ERROR(writer.write(path, served.content->bytes()));
  RETURN_IF_ERROR(write_answers(site, files, writer));
  if (!options.readme.empty()) RETURN_IF_ERROR(writer.write("README.md", options.readme));
  return writer.finish();
}

}  // namespace willitrun
