#include "domain/model_ref.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace willitrun {
namespace {

constexpr std::size_t kMaxPartLength = 96;

bool is_id_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
}

bool is_id_part(std::string_view part) {
  constexpr std::string_view kNoEdge = "-.";
  return !part.empty() && part.size() <= kMaxPartLength && std::ranges::all_of(part, is_id_character) &&
         !kNoEdge.contains(part.front()) && !kNoEdge.contains(part.back());
}

bool looks_like_folder(std::string_view text) {
  return text == "." || text == ".." || text.starts_with('/') || text.starts_with("./") || text.starts_with("../") ||
         text.starts_with("~/");
}

bool is_revision(std::string_view text) {
  return !text.empty() && !text.contains("..") &&
         std::ranges::all_of(text, [](char c) { return is_id_character(c) || c == '/'; });
}

}  // namespace

bool is_hub_id(std::string_view id) {
  if (id.contains("--") || id.contains("..") || id.ends_with(".git")) return false;
  const auto parts = split(id, '/');
  return parts.size() <= 2 && std::ranges::all_of(parts, is_id_part);
}

Result<ModelRef> parse_model_ref(std::string_view text) {
  if (looks_like_folder(text)) return ModelRef{ModelRef::Kind::Folder, std::string(text), ""};
  const auto at = text.find('@');
  const std::string_view id = text.substr(0, at);
  if (!is_hub_id(id))
    return fail(
        Code::InvalidArgument,
        fmt::format("'{}' is neither a Hub id (owner/name) nor a folder (./path or /path)", to_valid_utf8(text)));
  if (at == std::string_view::npos) return ModelRef{ModelRef::Kind::Hub, std::string(id), ""};
  const std::string_view revision = text.substr(at + 1);
  if (!is_revision(revision))
    return fail(Code::InvalidArgument,
                fmt::format("'{}' is no revision: use a branch, a tag or a commit", to_valid_utf8(revision)));
  return ModelRef{ModelRef::Kind::Hub, std::string(id), std::string(revision)};
}

std::string to_text(const ModelRef& ref) { return ref.revision.empty() ? ref.id : ref.id + "@" + ref.revision; }

}  // namespace willitrun
