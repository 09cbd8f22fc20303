#include "hub/hub_url.h"

#include <fmt/format.h>

#include <boost/url/encode.hpp>
#include <boost/url/parse.hpp>
#include <boost/url/rfc/unreserved_chars.hpp>
#include <boost/url/url.hpp>

#include "base/hex.h"
#include "base/text.h"

namespace willitrun {
namespace {

namespace urls = boost::urls;

constexpr int kMaxPageLength = 1000;  // The Hub gives no more at once.

std::string encoded(std::string_view text) { return urls::encode(text, urls::unreserved_chars); }

/// A path keeps its slashes.
std::string encoded_path(std::string_view path) { return urls::encode(path, urls::unreserved_chars + '/'); }

std::string revision_of(const RepoRef& repo) { return encoded(repo.revision.empty() ? "main" : repo.revision); }

std::string api_url(std::string_view endpoint, const RepoRef& repo) {
  return fmt::format("{}/api/{}/{}", endpoint, repo.kind == RepoKind::Model ? "models" : "datasets",
                     encoded_path(repo.id));
}

}  // namespace

std::string info_url(std::string_view endpoint, const RepoRef& repo) {
  const std::string url = api_url(endpoint, repo);
  return repo.revision.empty() ? url : fmt::format("{}/revision/{}", url, revision_of(repo));
}

std::string tree_url(std::string_view endpoint, const RepoRef& repo) {
  return fmt::format("{}/tree/{}?recursive=true", api_url(endpoint, repo), revision_of(repo));
}

std::string file_url(std::string_view endpoint, const RepoRef& repo, std::string_view path) {
  return fmt::format("{}/{}{}/resolve/{}/{}", endpoint, repo.kind == RepoKind::Model ? "" : "datasets/",
                     encoded_path(repo.id), revision_of(repo), encoded_path(path));
}

std::string list_url(std::string_view endpoint, const ModelQuery& query) {
  std::string url = fmt::format("{}/api/models?pipeline_tag={}&sort={}&limit={}", endpoint, encoded(query.task),
                                query.sort == ModelSort::Downloads ? "downloads" : "trendingScore",
                                std::min(query.limit, kMaxPageLength));
  for (const char* field : {"createdAt", "downloads", "gated", "lastModified", "library_name", "likes", "pipeline_tag",
                            "private", "sha", "tags", "trendingScore"})
    url += fmt::format("&expand={}", field);
  return url;
}

std::string next_page_of(std::string_view link_header, std::string_view url) {
  for (const std::string_view link : split(link_header, ',')) {
    const auto open = link.find('<');
    const auto close = link.find('>');
    if (open == std::string_view::npos || close == std::string_view::npos || close < open) continue;
    if (!link.substr(close).contains("rel=\"next\"")) continue;
    const auto target = urls::parse_uri_reference(link.substr(open + 1, close - open - 1));
    const auto base = urls::parse_uri(url);
    urls::url absolute;
    if (!target || !base || !urls::resolve(*base, *target, absolute)) return {};
    return absolute.buffer() == url ? std::string() : std::string(absolute.buffer());
  }
  return {};
}

bool is_below(std::string_view url, std::string_view endpoint) {
  return url.starts_with(endpoint) && url.substr(endpoint.size()).starts_with('/');
}

bool is_commit(std::string_view revision) { return is_lower_hex(revision, 40); }

}  // namespace willitrun
