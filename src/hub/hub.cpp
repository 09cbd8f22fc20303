#include "hub/hub.h"

#include <algorithm>

#include "base/text.h"

namespace willitrun {
namespace {

constexpr std::size_t kMaxPathLength = 1024;
constexpr std::size_t kMaxPartLength = 255;  // NAME_MAX of every file system that matters here.

bool is_safe_part(std::string_view part) {
  return !part.empty() && part != "." && part != ".." && part.size() <= kMaxPartLength;
}

bool is_safe_character(char c) { return static_cast<unsigned char>(c) >= 0x20 && c != 0x7f && c != '\\'; }

}  // namespace

RepoRef repo_of(const ModelInfo& model) { return RepoRef{RepoKind::Model, model.id, model.sha}; }

bool is_safe_path(std::string_view path) {
  return path.size() <= kMaxPathLength && std::ranges::all_of(path, is_safe_character) &&
         std::ranges::all_of(split(path, '/'), is_safe_part);
}

}  // namespace willitrun
