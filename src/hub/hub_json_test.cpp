#include "hub/hub_json.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace willitrun {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

const std::string kCommit(40, 'a');

TEST(ModelInfoJson, ReadsWhatTheHubSays) {
  const ModelInfo info = parse_model_info(R"({
    "_id": "64", "id": "meta-llama/Llama-3.2-1B", "author": "meta-llama", "private": false, "gated": "manual",
    "sha": "4e20de362430cd3b72f300e6b0f18e50e7166e08", "pipeline_tag": "text-generation", "library_name": "transformers",
    "downloads": 3000000000, "likes": 2000, "trendingScore": 12.5, "tags": ["transformers", "llama"],
    "createdAt": "2024-09-18T15:03:14.000Z", "lastModified": "2024-10-24T15:08:03.000Z", "siblings": [], "mask_token": null})")
                             .value();
  EXPECT_EQ(info.id, "meta-llama/Llama-3.2-1B");
  EXPECT_EQ(info.gated, Gate::Manual);
  EXPECT_EQ(info.downloads, 3'000'000'000);
  EXPECT_EQ(info.trending_score, 12.5);
  EXPECT_THAT(info.tags, SizeIs(2));
  EXPECT_EQ(to_text(info.last_modified.value()), "2024-10-24T15:08:03.000Z");
  EXPECT_FALSE(info.is_local);
}

TEST(ModelInfoJson, KeepsDefaultsForWhatIsMissingOrNull) {
  const ModelInfo info =
      parse_model_info(R"({"id": "gpt2", "pipeline_tag": null, "gated": false, "downloads": null})").value();
  EXPECT_EQ(info, ModelInfo{.id = "gpt2"});
  EXPECT_EQ(parse_model_info(R"({"id": "a/b", "gated": true})").value().gated, Gate::Manual);
}

TEST(ModelInfoJson, ComesBackAsItWasWritten) {
  const ModelInfo info = {.id = "a/b",
                          .sha = kCommit,
                          .pipeline_tag = "t",
                          .library_name = "l",
                          .gated = Gate::Auto,
                          .is_private = true,
                          .is_local = true,
                          .downloads = 1,
                          .likes = 2,
                          .trending_score = 3.5,
                          .tags = {"x", "y"},
                          .created_at = parse_time("2026-01-02"),
                          .last_modified = parse_time("2026-01-03")};
  EXPECT_EQ(parse_model_info(to_json(info)).value(), info);
  EXPECT_EQ(parse_model_info(to_json(ModelInfo{.id = "a/b"})).value(), ModelInfo{.id = "a/b"});
}

TEST(ModelInfoJson, NamesTheFieldThatIsWrong) {
  for (const auto& [json, field] : std::vector<std::pair<std::string, std::string>>{
           {R"({"id": 1})", "id"},
           {R"({"id": "../x"})", "id"},
           {R"({"id": "a/b", "sha": "HEAD"})", "sha"},
           {R"({"id": "a/b", "downloads": "many"})", "downloads"},
           {R"({"id": "a/b", "downloads": -1})", "downloads"},
           {R"({"id": "a/b", "downloads": 1e300})", "downloads"},
           {R"({"id": "a/b", "trendingScore": 2e308})", "trendingScore"},
           {R"({"id": "a/b", "tags": [1]})", "tags"},
           {R"({"id": "a/b", "private": "no"})", "private"},
           {R"({"id": "a/b", "lastModified": "yesterday"})", "lastModified"}}) {
    const auto info = parse_model_info(json);
    ASSERT_FALSE(info) << json;
    EXPECT_EQ(info.error().code, Code::Corruption);
    EXPECT_THAT(info.error().message, HasSubstr(fmt::format("'{}'", field)));
  }
}

TEST(CachedTree, ComesBackAsItWasWritten) {
  const std::vector<HubFile> files = {{"a/b.json", 12, std::string(40, '1'), ""},
                                      {"w.safetensors", 5'000'000'000, std::string(40, '2'), std::string(64, '3')}};
  EXPECT_EQ(parse_cached_tree(to_cached_tree(files)).value(), files);
}

TEST(CachedTree, RefusesImproperEntries) {
  for (const char* text :
       {"", "[]", "{}", R"({"files": []})", R"({"files": {"a": 1}})", R"({"files": {"a": {"size": 1}}})",
        R"({"files": {"../a": {"size": 1, "blob_id": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}}})"})
    EXPECT_EQ(parse_cached_tree(text).error().code, Code::Corruption) << text;
}

TEST(TreeJson, TakesTheSizeOfTheContentAndLeavesFoldersOut) {
  const auto files = parse_tree(fmt::format(
                                    R"([{{"type": "directory", "path": "a", "size": 0, "oid": "{0}"}},
          {{"type": "file", "path": "w", "size": 134, "oid": "{0}", "lfs": {{"oid": "{1}", "size": 99, "pointerSize": 134}}}}])",
                                    kCommit, std::string(64, 'b')))
                         .value();
  ASSERT_THAT(files, SizeIs(1));
  EXPECT_EQ(files[0].size_bytes, 99u);
  EXPECT_EQ(files[0].etag(), std::string(64, 'b'));
}

TEST(TreeJson, RefusesImproperEntries) {
  for (const std::string entry :
       {R"("file")", R"({"path": "a"})", R"({"path": "a", "oid": "zz"})",
        R"({"path": "../a", "oid": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"})",
        R"({"path": "a", "size": -1, "oid": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"})",
        R"({"path": "a", "oid": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "lfs": {"oid": "short", "size": 1}})"})
    EXPECT_EQ(parse_tree("[" + entry + "]").error().code, Code::Corruption) << entry;
  for (const char* text : {"", "{}", "[", "null", "[[]]"})
    EXPECT_EQ(parse_tree(text).error().code, Code::Corruption) << text;
}

TEST(HubJson, SurvivesDeepNesting) {
  EXPECT_EQ(parse_model_list(std::string(100'000, '[')).error().code, Code::Corruption);
}

TEST(CommitJson, ReadsTheCommitOfAnyRepository) {
  EXPECT_EQ(parse_commit(R"({"id": "a/b", "sha": ")" + kCommit + R"("})").value(), kCommit);
  EXPECT_EQ(parse_commit(R"({"id": "a/b"})").error().code, Code::Corruption);
}

}  // namespace
}  // namespace willitrun
