#include "lab/found_model.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include "lab/local_model_files.h"
#include "os/file.h"
#include "os/sha256.h"

namespace willitrun {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLargestSmallFile = std::uint64_t{64} << 20;

/// The files of a model on the Hub.
class HubModelFiles : public ModelFiles {
 public:
  HubModelFiles(Hub& hub, RepoRef repo, const std::vector<HubFile>& files) : hub_(hub), repo_(std::move(repo)) {
    for (const HubFile& file : files) files_.push_back({file.path, file.size_bytes});
  }

  Result<std::vector<ModelFile>> list() override { return files_; }

  Result<std::string> read(const std::string& name) override { return hub_.read(repo_, name, kLargestSmallFile); }

  Result<std::vector<std::string>> read_ranges(std::span<const WeightRange> ranges) override {
    std::vector<FileRange> wanted;
    for (const WeightRange& range : ranges) wanted.push_back({range.name, range.offset, range.count});
    std::vector<std::string> pieces;
    for (Result<std::string>& piece : hub_.read_ranges(repo_, wanted)) {
      if (!piece) return fail(piece.error());
      pieces.push_back(std::move(*piece));
    }
    return pieces;
  }

 private:
  Hub& hub_;
  RepoRef repo_;
  std::vector<ModelFile> files_;
};

/// A folder's listing changes when its content does: names, sizes and times of change.
Result<std::string> identity_of_folder(const fs::path& folder, const std::vector<ModelFile>& files) {
  std::string listing;
  for (const ModelFile& file : files) {
    struct stat info = {};
    if (::stat((folder / file.name).c_str(), &info) != 0)
      return fail(errno_error("cannot look at", folder / file.name));
    listing += fmt::format("{} {} {}.{:09}\n", file.name, file.size_bytes, info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
  }
  return sha256_hex(listing);
}

Result<FoundModel> find_folder(const fs::path& path) {
  std::error_code error;
  const fs::path folder = fs::canonical(path, error);
  if (error || !fs::is_directory(folder))
    return fail(Code::NotFound, fmt::format("there is no folder '{}'", path.string()));
  FoundModel found{.id = folder, .is_folder = true, .is_local = true};
  found.files = std::make_unique<LocalModelFiles>(folder);
  ASSIGN_OR_RETURN(const auto files, found.files->list());
  ASSIGN_OR_RETURN(found.identity, identity_of_folder(folder, files));
  return found;
}

}  // namespace

Result<FoundModel> find_model(Hub& hub, const ModelRef& model) {
  if (model.kind == ModelRef::Kind::Folder) return find_folder(model.id);
  ASSIGN_OR_RETURN(ModelInfo info, hub.model_info(model));
  FoundModel found{.id = info.id, .revision = info.sha, .is_local = info.is_local};
  found.identity = fmt::format("{}@{}", info.id, info.sha);
  ASSIGN_OR_RETURN(found.hub_files, hub.list_files(repo_of(info)));
  found.files = std::make_unique<HubModelFiles>(hub, repo_of(info), found.hub_files);
  found.info = std::move(info);
  return found;
}

}  // namespace willitrun
