#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace willitrun {

/// What a test wants to be said about a repository.
struct RepoFacts {
  std::string task = "text-generation";
  std::string gated;  ///< `auto` or `manual`; empty for an open one.
  bool is_private = false;
  int downloads = 0;
  int trending_score = 0;
};

/// Writes a local mirror (docs/formats/mirror.md) for tests.
class LocalMirrorFixture {
 public:
  explicit LocalMirrorFixture(std::filesystem::path root);

  using Files = std::map<std::string, std::string>;  ///< Content by path.

  /// Adds a model; returns its commit.
  std::string add_model(const std::string& id, const Files& files, const RepoFacts& facts = {});

  /// Adds a dataset; returns its commit.
  std::string add_dataset(const std::string& id, const Files& files);

  const std::filesystem::path& root() const { return root_; }

 private:
  std::filesystem::path root_;
  std::string listing_;
};

/// Content of `size` bytes that looks random and is the same for equal `seed`.
std::string noise(std::size_t size, unsigned seed);

/// A safetensors file: the 8-byte length of `header`, `header`, and `data_bytes` zeros.
std::string safetensors_file(const std::string& header, std::size_t data_bytes);

}  // namespace willitrun
