#pragma once

#include <string>
#include <string_view>

#include "hub/hub.h"

namespace willitrun {

/// Addresses of the Hub's answers (huggingface_hub's hf_api.py and file_download.py). `endpoint` ends without a slash.
/// Every part that comes from outside is percent-encoded.
std::string info_url(std::string_view endpoint, const RepoRef& repo);
std::string tree_url(std::string_view endpoint, const RepoRef& repo);
std::string file_url(std::string_view endpoint, const RepoRef& repo, std::string_view path);
std::string list_url(std::string_view endpoint, const ModelQuery& query);

/// Returns the address after `rel="next"` of a Link header (RFC 8288), made absolute against `url`; empty when there is
/// none or when it is `url` again.
std::string next_page_of(std::string_view link_header, std::string_view url);

/// Tells whether `url` has the scheme, host and port of `endpoint` and lies below its path.
bool is_below(std::string_view url, std::string_view endpoint);

/// Tells whether a revision is a commit: 40 lower-case hexadecimal digits.
bool is_commit(std::string_view revision);

}  // namespace willitrun
