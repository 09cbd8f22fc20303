#include "hub/hub.h"

#include <algorithm>

#include "base/text.h"

namespace willitrun {
namespace {

constexpr std::size_t kMaxPathLength = 1024;
constexpr std::size_t kMaxPartLength = 255;  // NAME_MAX of every file system that matters here.

constexpr std::uint64_t kLengthBytes = 8;
constexpr std::uint64_t kFirstReadOfOneFile = 100'000;   // Holds the header of most models in one file.
constexpr std::uint64_t kFirstReadOfShard = 16 * 1024;   // Holds about 150 tensors: a shard of most models.
constexpr std::uint64_t kMaxHeaderLength = 100'000'000;  // safetensors, MAX_HEADER_SIZE.

/// Bytes of length and header together, as the first 8 bytes say; nothing when that cannot be.
std::optional<std::uint64_t> whole_header_size(std::string_view beginning, std::uint64_t file_size) {
  if (beginning.size() < kLengthBytes) return std::nullopt;
  std::uint64_t length = 0;  // Little-endian on disk.
  for (std::size_t i = kLengthBytes; i-- > 0;) length = length << 8 | static_cast<unsigned char>(beginning[i]);
  if (length > kMaxHeaderLength || length + kLengthBytes > file_size) return std::nullopt;
  return length + kLengthBytes;
}

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

std::vector<Result<std::string>> read_safetensors_headers(Hub& hub, const RepoRef& repo,
                                                          std::span<const HubFile> files) {
  const std::uint64_t first_count = files.size() == 1 ? kFirstReadOfOneFile : kFirstReadOfShard;
  std::vector<FileRange> firsts;
  for (const HubFile& file : files) firsts.push_back({file.path, 0, first_count});
  std::vector<Result<std::string>> headers = hub.read_ranges(repo, firsts);

  std::vector<std::size_t> open;
  std::vector<FileRange> rests;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const auto wanted = headers[i] ? whole_header_size(*headers[i], files[i].size_bytes) : std::nullopt;
    if (!wanted || *wanted <= headers[i]->size()) continue;
    open.push_back(i);
    rests.push_back({files[i].path, headers[i]->size(), *wanted - headers[i]->size()});
  }
  if (open.empty()) return headers;
  std::vector<Result<std::string>> more = hub.read_ranges(repo, rests);
  for (std::size_t i = 0; i < open.size(); ++i) {
    Result<std::string>& header = headers[open[i]];
    if (more[i])
      *header += *more[i];
    else
      header = std::move(more[i]);
  }
  return headers;
}

}  // namespace willitrun
