#include "hub/mirrored_hub.h"

#include <fmt/format.h>

#include "hub/hub_url.h"

namespace willitrun {
namespace {

std::unexpected<Error> not_here(std::string_view what) {
  return fail(
      Code::Unavailable,
      fmt::format("{} is not in the model mirror and HF_HUB_OFFLINE forbids to ask the Hub: unset it, or fetch the "
                  "model while the Hub can be reached",
                  what));
}

std::string file_text(const RepoRef& repo, std::string_view path) { return fmt::format("'{}' of '{}'", path, repo.id); }

}  // namespace

Result<ModelInfo> MirroredHub::model_info(const ModelRef& model) {
  if (remote_ != nullptr) {
    ASSIGN_OR_RETURN(ModelInfo info, remote_->model_info(model));
    RETURN_IF_ERROR(mirror_.remember(model, info));
    return info;
  }
  ASSIGN_OR_RETURN(auto remembered, mirror_.remembered_info(model));
  if (!remembered) return not_here(fmt::format("model '{}'", to_text(model)));
  return std::move(*remembered);
}

Result<std::string> MirroredHub::resolve(const RepoRef& repo) {
  if (remote_ != nullptr) return remote_->resolve(repo);
  ASSIGN_OR_RETURN(auto commit, mirror_.commit(repo));
  if (!commit) return not_here(fmt::format("revision '{}' of '{}'", repo.revision, repo.id));
  return std::move(*commit);
}

Result<std::vector<HubFile>> MirroredHub::list_files(const RepoRef& repo) {
  ASSIGN_OR_RETURN(auto kept, mirror_.files(repo));
  if (kept) return std::move(*kept);
  if (remote_ == nullptr) return not_here(fmt::format("the list of files of '{}'", repo.id));
  ASSIGN_OR_RETURN(std::vector<HubFile> files, remote_->list_files(repo));
  if (is_commit(repo.revision)) RETURN_IF_ERROR(mirror_.remember(repo, files));
  return files;
}

Result<std::vector<ModelInfo>> MirroredHub::list_models(const ModelQuery& query) {
  if (remote_ == nullptr) return not_here(fmt::format("the ranked list of '{}'", query.task));
  return remote_->list_models(query);
}

Result<std::string> MirroredHub::read(const RepoRef& repo, std::string_view path, std::uint64_t max_bytes) {
  ASSIGN_OR_RETURN(auto content, mirror_.read(repo, path, max_bytes));
  if (content) return std::move(*content);
  if (remote_ == nullptr) return not_here(file_text(repo, path));
  return remote_->read(repo, path, max_bytes);
}

std::vector<Result<std::string>> MirroredHub::read_ranges(const RepoRef& repo, std::span<const FileRange> ranges) {
  std::vector<Result<std::string>> pieces;
  std::vector<FileRange> missing;
  std::vector<std::size_t> places;
  for (const FileRange& range : ranges) {
    auto piece = mirror_.read_range(repo, range);
    if (piece && !*piece) {
      places.push_back(pieces.size());
      missing.push_back(range);
      pieces.push_back(not_here(file_text(repo, range.path)));
    } else {
      pieces.push_back(piece ? Result<std::string>(std::move(**piece)) : fail(piece.error()));
    }
  }
  if (remote_ == nullptr || missing.empty()) return pieces;
  auto fetched = remote_->read_ranges(repo, missing);
  for (std::size_t i = 0; i < places.size(); ++i) pieces[places[i]] = std::move(fetched[i]);
  return pieces;
}

Status MirroredHub::download(const RepoRef& repo, std::span<const Download> downloads,
                             const DownloadProgress& progress) {
  if (remote_ == nullptr && !downloads.empty()) return not_here(file_text(repo, downloads.front().file.path));
  return remote_ == nullptr ? Status() : remote_->download(repo, downloads, progress);
}

}  // namespace willitrun
