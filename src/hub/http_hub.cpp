#include "hub/http_hub.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <utility>

#include "base/hex.h"
#include "base/text.h"
#include "hub/answer_error.h"
#include "hub/file_body.h"
#include "hub/hub_json.h"
#include "hub/hub_url.h"
#include "hub/memory_body.h"
#include "os/file.h"

namespace willitrun {
namespace {

constexpr std::uint64_t kMaxApiBytes = 64 << 20;
constexpr int kMaxPages = 10000;  // Of 1,000 entries: no repository or list is longer.

class HttpHub : public Hub {
 public:
  HttpHub(HubSettings settings, const std::atomic<bool>& cancelled)
      : settings_(std::move(settings)), client_(settings_, cancelled) {}

  Result<ModelInfo> model_info(const ModelRef& model) override;
  Result<std::string> resolve(const RepoRef& repo) override;
  Result<std::vector<HubFile>> list_files(const RepoRef& repo) override;
  Result<std::vector<ModelInfo>> list_models(const ModelQuery& query) override;
  Result<std::string> read(const RepoRef& repo, std::string_view path, std::uint64_t max_bytes) override;
  std::vector<Result<std::string>> read_ranges(const RepoRef& repo, std::span<const FileRange> ranges) override;
  Status download(const RepoRef& repo, std::span<const Download> downloads, const DownloadProgress& progress) override;

 private:
  /// One answer of the API, with the address of the page after it.
  struct Page {
    std::string text;
    std::string next_url;
  };

  Question question(const RepoRef& repo, std::string_view path = {}) const {
    return {repo, std::string(path), settings_.endpoint, !settings_.token.empty()};
  }
  HttpRequest request(std::string url, HttpBody& body, double silence_timeout_s) const;
  Result<Page> get_page(const std::string& url, const Question& about);
  Result<std::vector<const Download*>> download_round(const RepoRef& repo, std::span<const Download* const> downloads,
                                                      const DownloadProgress& progress, bool is_last);
  Status check_downloads(const RepoRef& repo, std::span<const Download* const> downloads,
                         std::span<const Result<HttpAnswer>> outcomes) const;

  HubSettings settings_;
  HttpClient client_;
};

/// The list pages follow each other by links. The token goes along only to the Hub itself: a mirror's links may lead
/// elsewhere.
HttpRequest HttpHub::request(std::string url, HttpBody& body, double silence_timeout_s) const {
  const bool is_ours = is_below(url, settings_.endpoint);
  return {std::move(url), is_ours ? settings_.token : "", &body, silence_timeout_s};
}

Result<HttpHub::Page> HttpHub::get_page(const std::string& url, const Question& about) {
  WholeBody body(kMaxApiBytes);
  ASSIGN_OR_RETURN(const HttpAnswer answer, client_.get(request(url, body, settings_.api_timeout_s)));
  if (answer.status >= 300) return fail(error_of_answer(answer, about));
  return Page{std::move(body.bytes()), next_page_of(answer.header("link"), url)};
}

Result<ModelInfo> HttpHub::model_info(const ModelRef& model) {
  const RepoRef repo = {RepoKind::Model, model.id, model.revision};
  ASSIGN_OR_RETURN(const Page page, get_page(info_url(settings_.endpoint, repo), question(repo)));
  ASSIGN_OR_RETURN(ModelInfo info, parse_model_info(page.text));
  if (info.sha.empty()) return fail(Code::Corruption, fmt::format("the Hub names no commit of '{}'", model.id));
  return info;
}

Result<std::string> HttpHub::resolve(const RepoRef& repo) {
  if (is_commit(repo.revision)) return repo.revision;
  ASSIGN_OR_RETURN(const Page page, get_page(info_url(settings_.endpoint, repo), question(repo)));
  return parse_commit(page.text);
}

Result<std::vector<HubFile>> HttpHub::list_files(const RepoRef& repo) {
  std::vector<HubFile> files;
  std::string url = tree_url(settings_.endpoint, repo);
  for (int i = 0; !url.empty(); ++i) {
    if (i == kMaxPages)
      return fail(Code::Corruption, fmt::format("the Hub's list of files of '{}' does not end", repo.id));
    ASSIGN_OR_RETURN(Page page, get_page(url, question(repo)));
    ASSIGN_OR_RETURN(std::vector<HubFile> more, parse_tree(page.text));
    std::ranges::move(more, std::back_inserter(files));
    url = std::move(page.next_url);
  }
  std::ranges::sort(files, {}, &HubFile::path);
  const auto twice = std::ranges::adjacent_find(files, {}, &HubFile::path);
  if (twice != files.end())
    return fail(Code::Corruption, fmt::format("the Hub lists '{}' of '{}' twice", twice->path, repo.id));
  return files;
}

Result<std::vector<ModelInfo>> HttpHub::list_models(const ModelQuery& query) {
  const Question about = {
      {RepoKind::Model, fmt::format("list of {}", query.task), ""}, "", settings_.endpoint, !settings_.token.empty()};
  const auto limit = static_cast<std::size_t>(std::max(query.limit, 0));
  std::vector<ModelInfo> models;
  std::string url = limit == 0 ? "" : list_url(settings_.endpoint, query);
  for (int i = 0; !url.empty() && models.size() < limit; ++i) {
    if (i == kMaxPages) return fail(Code::Corruption, "the Hub's list of models does not end");
    ASSIGN_OR_RETURN(Page page, get_page(url, about));
    ASSIGN_OR_RETURN(std::vector<ModelInfo> more, parse_model_list(page.text));
    std::ranges::move(more, std::back_inserter(models));
    url = std::move(page.next_url);
  }
  if (models.size() > limit) models.resize(limit);
  return models;
}

Result<std::string> HttpHub::read(const RepoRef& repo, std::string_view path, std::uint64_t max_bytes) {
  WholeBody body(max_bytes);
  const auto answer =
      client_.get(request(file_url(settings_.endpoint, repo, path), body, settings_.download_timeout_s));
  if (!answer) return fail(with_context(answer.error(), fmt::format("cannot read '{}' of '{}'", path, repo.id)));
  if (answer->status >= 300) return fail(error_of_answer(*answer, question(repo, path)));
  return std::move(body.bytes());
}

std::vector<Result<std::string>> HttpHub::read_ranges(const RepoRef& repo, std::span<const FileRange> ranges) {
  std::deque<RangeBody> bodies;
  std::vector<HttpRequest> requests;
  for (const FileRange& range : ranges) {
    RangeBody& body = bodies.emplace_back(range.offset, range.count);
    requests.push_back(request(file_url(settings_.endpoint, repo, range.path), body, settings_.download_timeout_s));
  }
  const auto outcomes = client_.get_all(requests, AfterError::GoOn);
  std::vector<Result<std::string>> pieces;
  constexpr int kRangeBeyondTheEnd = 416;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    if (!outcomes[i])
      pieces.push_back(
          fail(with_context(outcomes[i].error(), fmt::format("cannot read '{}' of '{}'", ranges[i].path, repo.id))));
    else if (outcomes[i]->status == kRangeBeyondTheEnd)
      pieces.push_back(std::string());
    else if (outcomes[i]->status >= 300)
      pieces.push_back(fail(error_of_answer(*outcomes[i], question(repo, ranges[i].path))));
    else
      pieces.push_back(std::move(bodies[i].bytes()));
  }
  return pieces;
}

Status HttpHub::download(const RepoRef& repo, std::span<const Download> downloads, const DownloadProgress& progress) {
  std::vector<const Download*> open;
  for (const Download& download : downloads) open.push_back(&download);
  // The second round is for files whose earlier part proved to be wrong, or whose end never came.
  for (const bool is_last : {false, true}) {
    ASSIGN_OR_RETURN(open, download_round(repo, open, progress, is_last));
  }
  return {};
}

/// Fetches what is missing of each file and checks it. Returns the files that want another round; none if `is_last`.
Result<std::vector<const Download*>> HttpHub::download_round(const RepoRef& repo,
                                                             std::span<const Download* const> downloads,
                                                             const DownloadProgress& progress, bool is_last) {
  std::deque<FileBody> bodies;
  std::vector<HttpRequest> requests;
  std::vector<const Download*> requested;
  for (const Download* download : downloads) {
    ASSIGN_OR_RETURN(FileBody opened, FileBody::open(*download, progress));
    FileBody& body = bodies.emplace_back(std::move(opened));
    if (body.is_full()) continue;
    requests.push_back(
        request(file_url(settings_.endpoint, repo, download->file.path), body, settings_.download_timeout_s));
    requested.push_back(download);
  }
  RETURN_IF_ERROR(check_downloads(repo, requested, client_.get_all(requests, AfterError::Stop)));

  std::vector<const Download*> again;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const bool is_cut = !bodies[i].is_full();
    const bool may_go_right = is_cut || bodies[i].was_resumed();
    const Status finished = bodies[i].finish();
    if (finished) continue;
    if (!is_cut && finished.error().code == Code::Corruption) RETURN_IF_ERROR(remove_tree(downloads[i]->to));
    if (is_last || !may_go_right || finished.error().code != Code::Corruption) return fail(finished.error());
    again.push_back(downloads[i]);
  }
  return again;
}

/// Returns the first error that is not the consequence of another.
Status HttpHub::check_downloads(const RepoRef& repo, std::span<const Download* const> downloads,
                                std::span<const Result<HttpAnswer>> outcomes) const {
  Status status;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const std::string& path = downloads[i]->file.path;
    if (outcomes[i] && outcomes[i]->status < 300) continue;
    Error error = outcomes[i]
                      ? error_of_answer(*outcomes[i], question(repo, path))
                      : with_context(outcomes[i].error(), fmt::format("cannot fetch '{}' of '{}'", path, repo.id));
    if (error.code != Code::Cancelled) return fail(std::move(error));
    status = fail(std::move(error));
  }
  return status;
}

}  // namespace

std::unique_ptr<Hub> make_http_hub(HubSettings settings, const std::atomic<bool>& cancelled) {
  return std::make_unique<HttpHub>(std::move(settings), cancelled);
}

}  // namespace willitrun
