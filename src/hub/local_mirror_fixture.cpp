#include "hub/local_mirror_fixture.h"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <random>

#include "base/check.h"
#include "os/digest.h"
#include "os/file.h"
#include "os/sha256.h"

namespace willitrun {
namespace {

namespace json = boost::json;

std::string git_oid(const std::string& content) {
  Digest digest(DigestKind::Sha1);
  digest.update(fmt::format("blob {}", content.size()) + '\0' + content);
  return digest.finish();
}

json::object sibling(const std::string& path, const std::string& content) {
  if (!path.ends_with(".safetensors"))
    return {{"rfilename", path}, {"size", content.size()}, {"blobId", git_oid(content)}};
  const std::string sha256 = sha256_hex(content);
  const std::string pointer =
      fmt::format("version https://git-lfs.github.com/spec/v1\noid sha256:{}\nsize {}\n", sha256, content.size());
  return {{"rfilename", path},
          {"size", content.size()},
          {"blobId", git_oid(pointer)},
          {"lfs", {{"sha256", sha256}, {"size", content.size()}, {"pointerSize", pointer.size()}}}};
}

/// Writes the files and info.json of one repository; returns the description without the list of files.
json::object write_repository(const std::filesystem::path& folder, json::object info,
                              const LocalMirrorFixture::Files& files) {
  std::string state;
  json::array siblings;
  for (const auto& [path, content] : files) {
    state += fmt::format("{} {} {}\n", sha256_hex(content), content.size(), path);
    siblings.push_back(sibling(path, content));
  }
  Digest digest(DigestKind::Sha1);
  digest.update(state);
  const std::string sha = digest.finish();
  for (const auto& [path, content] : files) CHECK(write_file_atomically(folder / sha / path, content));
  info["sha"] = sha;
  json::object full = info;
  full["siblings"] = std::move(siblings);
  CHECK(write_file_atomically(folder / "info.json", json::serialize(full)));
  return info;
}

}  // namespace

LocalMirrorFixture::LocalMirrorFixture(std::filesystem::path root) : root_(std::move(root)) {
  CHECK(write_file_atomically(root_ / "mirror.json", R"({"kind": "willitrun-mirror", "schema": 1, "local": true})"));
  CHECK(write_file_atomically(root_ / "listing.jsonl", ""));
}

std::string LocalMirrorFixture::add_model(const std::string& id, const Files& files, const RepoFacts& facts) {
  json::object info = {{"id", id},
                       {"private", facts.is_private},
                       {"lastModified", "2026-01-01T00:00:00.000Z"},
                       {"pipeline_tag", facts.task},
                       {"library_name", "transformers"},
                       {"tags", {"transformers", "safetensors"}},
                       {"downloads", facts.downloads},
                       {"likes", 0},
                       {"trendingScore", facts.trending_score},
                       {"local", true}};
  info["gated"] = facts.gated.empty() ? json::value(false) : json::value(facts.gated);
  info = write_repository(root_ / "models" / id, std::move(info), files);
  listing_ += json::serialize(info) + "\n";
  CHECK(write_file_atomically(root_ / "listing.jsonl", listing_));
  return std::string(info["sha"].get_string());
}

std::string LocalMirrorFixture::add_dataset(const std::string& id, const Files& files) {
  json::object info = {{"id", id}, {"private", false}, {"gated", false}};
  return std::string(write_repository(root_ / "datasets" / id, std::move(info), files)["sha"].get_string());
}

std::string noise(std::size_t size, unsigned seed) {
  std::minstd_rand random(seed);
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random() >> 8);
  return bytes;
}

std::string safetensors_file(const std::string& header, std::size_t data_bytes) {
  std::string file;
  for (int i = 0; i < 8; ++i) file += static_cast<char>(header.size() >> (8 * i));
  return file + header + std::string(data_bytes, '\0');
}

}  // namespace willitrun
