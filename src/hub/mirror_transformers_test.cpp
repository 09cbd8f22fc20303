// The witness for the mirror's layout and for the choice of files: Transformers itself reads a fetched model by id and
// revision, without a network, and gives the tokens of the folder that the model was made in.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdio>

#include "hub/files_to_fetch.h"
#include "hub/http_hub.h"
#include "hub/local_hub_fixture.h"
#include "hub/mirror.h"
#include "os/file.h"

namespace willitrun {
namespace {

namespace fs = std::filesystem;

const fs::path kSource = WILLITRUN_SOURCE_DIR;

/// Runs tests/hub/tiny_llama.py and returns what it prints.
std::string run_tiny_llama(const std::string& variables, const std::string& arguments) {
  const std::string command =
      fmt::format("env TORCH_DEVICE_BACKEND_AUTOLOAD=0 OMP_NUM_THREADS=1 {} '{}' '{}' {}", variables,
                  (kSource / ".venv/bin/python").string(), (kSource / "tests/hub/tiny_llama.py").string(), arguments);
  FILE* pipe = ::popen(command.c_str(), "r");
  std::string output;
  for (int letter = std::fgetc(pipe); letter != EOF; letter = std::fgetc(pipe)) output += static_cast<char>(letter);
  EXPECT_EQ(::pclose(pipe), 0) << command;
  return output;
}

LocalMirrorFixture::Files files_in(const fs::path& folder) {
  LocalMirrorFixture::Files files;
  for (const auto& entry : fs::directory_iterator(folder))
    files[entry.path().filename()] = read_file(entry.path()).value();
  return files;
}

class MirrorTransformersTest : public LocalHubTest {};

TEST_F(MirrorTransformersTest, TransformersReadsAFetchedModelOffline) {
  if (!fs::exists(kSource / ".venv/bin/python")) GTEST_SKIP() << "there is no .venv: run tools/setup";
  const fs::path made = scratch.path() / "made";
  const std::string tokens = run_tiny_llama("HF_HUB_OFFLINE=1", fmt::format("make '{}'", made.string()));
  ASSERT_FALSE(tokens.empty());
  LocalMirrorFixture::Files contents = files_in(made);
  ASSERT_TRUE(contents.contains("model.safetensors.index.json")) << "the model is to have several shards";
  contents["README.md"] = "not needed";
  contents["stray.safetensors"] = "not needed either";
  const RepoRef repo = {RepoKind::Model, "ann/tiny-llama", repositories().add_model("ann/tiny-llama", contents)};

  const auto hub = make_http_hub(settings(), cancelled);
  const auto listed = hub->list_files(repo).value();
  const auto index = hub->read(repo, weight_index_of(listed).value(), 1 << 20).value();
  const auto wanted = files_to_fetch(listed, {.indexed_shards = shards_of_index(index).value()});
  Mirror mirror(scratch.path() / "models", {}, cancelled);
  const auto snapshot = mirror.fetch(*hub, repo, wanted, {});
  ASSERT_TRUE(snapshot) << snapshot.error().message;
  EXPECT_FALSE(fs::exists(snapshot->folder() / "stray.safetensors"));

  const std::string offline =
      fmt::format("HF_HUB_OFFLINE=1 HF_HUB_CACHE='{}' HF_HOME='{}'", snapshot->repository().parent_path().string(),
                  (scratch.path() / "hf").string());
  EXPECT_EQ(run_tiny_llama(offline, fmt::format("generate {} {}", repo.id, repo.revision)), tokens);
}

}  // namespace
}  // namespace willitrun
