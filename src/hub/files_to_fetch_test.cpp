#include "hub/files_to_fetch.h"

#include <gmock/gmock.h>

namespace willitrun {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

std::vector<HubFile> listing(std::initializer_list<const char*> paths) {
  std::vector<HubFile> files;
  for (const char* path : paths) files.push_back({.path = path});
  return files;
}

std::vector<std::string> chosen(std::initializer_list<const char*> paths, const FetchOptions& options = {}) {
  std::vector<std::string> names;
  for (const HubFile& file : files_to_fetch(listing(paths), options)) names.push_back(file.path);
  return names;
}

TEST(FilesToFetch, TakesWhatTransformersReads) {
  EXPECT_THAT(chosen({"config.json", "generation_config.json", "tokenizer.json", "tokenizer.model", "merges.txt",
                      "chat_template.jinja", "additional_chat_templates/tools.jinja", "preprocessor_config.json",
                      "model.safetensors"}),
              testing::SizeIs(9));
}

TEST(FilesToFetch, LeavesOtherFormatsAndDocuments) {
  EXPECT_THAT(chosen({".gitattributes", "README.md", "pytorch_model.bin", "pytorch_model.bin.index.json", "tf_model.h5",
                      "model.gguf", "onnx/model.onnx", "onnx/config.json", "original/model.safetensors", "figure.png",
                      "training_args.bin", "trainer_state.json", "consolidated.safetensors", "config.json"}),
              ElementsAre("config.json"));
}

TEST(FilesToFetch, TakesTheShardsOfTheIndexAndNoOthers) {
  const FetchOptions options = {.indexed_shards = std::set<std::string>{"a.safetensors", "b.safetensors"}};
  EXPECT_THAT(chosen({"a.safetensors", "b.safetensors", "old.safetensors"}, options),
              ElementsAre("a.safetensors", "b.safetensors"));
}

TEST(FilesToFetch, PrefersTheSingleFileAsTransformersDoes) {
  const FetchOptions options = {.indexed_shards = std::set<std::string>{"a.safetensors"}};
  EXPECT_THAT(chosen({"a.safetensors", "model.safetensors"}, options), ElementsAre("model.safetensors"));
  EXPECT_EQ(weight_index_of(listing({"model.safetensors", "model.safetensors.index.json"})), std::nullopt);
  EXPECT_EQ(weight_index_of(listing({"a.safetensors", "model.safetensors.index.json"})),
            "model.safetensors.index.json");
}

TEST(FilesToFetch, TakesPythonFilesOnlyWhenRemoteCodeIsAllowed) {
  EXPECT_THAT(chosen({"modeling.py", "lib/attention.py"}), ElementsAre());
  EXPECT_THAT(chosen({"modeling.py", "lib/attention.py"}, {.remote_code = true}),
              ElementsAre("modeling.py", "lib/attention.py"));
}

TEST(ShardsOfIndex, ReadsEachShardOnce) {
  EXPECT_THAT(shards_of_index(R"({"weight_map": {"x": "a", "y": "b", "z": "a"}})").value(),
              UnorderedElementsAre("a", "b"));
}

TEST(ShardsOfIndex, RefusesWhatIsNoIndex) {
  for (const char* text : {"", "[]", "{}", R"({"weight_map": 1})", R"({"weight_map": {"x": 1}})",
                           R"({"weight_map": {"x": "../../secret"}})", R"({"weight_map": {"x": "/etc/passwd"}})"})
    EXPECT_EQ(shards_of_index(text).error().code, Code::Corruption) << text;
}

TEST(SafePath, RefusesEverythingThatCouldLeaveTheFolder) {
  using namespace std::string_view_literals;
  for (const std::string_view path : {""sv, "/etc/passwd"sv, "../up"sv, "a/../b"sv, "a/.."sv, "."sv, "a//b"sv, "a/"sv,
                                      "a\\b"sv, "a\0b"sv, "a\nb"sv, "a\x7f"sv})
    EXPECT_FALSE(is_safe_path(path)) << path;
  EXPECT_FALSE(is_safe_path(std::string(256, 'x'))) << "longer than a file name may be";
  std::string deep = "d";
  while (deep.size() <= 1024) deep += "/d";
  EXPECT_FALSE(is_safe_path(deep));
  for (const std::string_view path :
       {"config.json"sv, "a/b/c.txt"sv, ".gitattributes"sv, "..name"sv, "mit Umlaut \xc3\xa4"sv})
    EXPECT_TRUE(is_safe_path(path)) << path;
}

}  // namespace
}  // namespace willitrun
