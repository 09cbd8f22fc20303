#include "cli/dataset_source.h"

#include <filesystem>

#include "os/file.h"
#include "os/sha256.h"
#include "store/dataset.h"

namespace willitrun {
namespace {

namespace fs = std::filesystem;

class LocalSource : public DatasetSource {
 public:
  explicit LocalSource(fs::path path)
      : path_(std::move(path)), folder_(fs::is_directory(path_) ? path_ : path_.parent_path()) {}

  std::string name() const override { return folder_.string(); }
  std::string revision() const override { return ""; }

  Result<std::vector<SourceFile>> list() override {
    std::vector<SourceFile> files;
    ASSIGN_OR_RETURN(const auto paths, find_dataset_files(path_));
    for (const fs::path& path : paths) {
      ASSIGN_OR_RETURN(std::string sha256, sha256_file(path));
      files.push_back({path.lexically_relative(folder_).string(), std::move(sha256)});
    }
    return files;
  }

  Result<std::string> read(const SourceFile& file) override { return read_file(folder_ / file.path); }

 private:
  fs::path path_;
  fs::path folder_;
};

class HubSource : public DatasetSource {
 public:
  HubSource(Hub& hub, RepoRef repo) : hub_(hub), repo_(std::move(repo)) {}

  std::string name() const override { return repo_.id; }
  std::string revision() const override { return repo_.revision; }

  Result<std::vector<SourceFile>> list() override {
    std::vector<SourceFile> files;
    ASSIGN_OR_RETURN(const auto all, hub_.list_files(repo_));
    for (const HubFile& file : all)
      if (file.path.ends_with(".parquet")) files.push_back({file.path, file.etag()});
    return files;
  }

  Result<std::string> read(const SourceFile& file) override {
    constexpr std::uint64_t kMaxBytes = 1ULL << 30;  // the public dataset's files hold some thousand rows each
    return hub_.read(repo_, file.path, kMaxBytes);
  }

 private:
  Hub& hub_;
  RepoRef repo_;
};

}  // namespace

Result<std::unique_ptr<DatasetSource>> local_source(const std::string& path) {
  std::error_code error;
  const fs::path whole = fs::canonical(path, error);
  if (error) return fail(Code::NotFound, "there is no file or folder '" + path + "'");
  return std::make_unique<LocalSource>(whole);
}

Result<std::unique_ptr<DatasetSource>> hub_source(Hub& hub, const std::string& dataset) {
  RepoRef repo{RepoKind::Dataset, dataset, ""};
  ASSIGN_OR_RETURN(repo.revision, hub.resolve(repo));
  return std::make_unique<HubSource>(hub, std::move(repo));
}

}  // namespace willitrun
