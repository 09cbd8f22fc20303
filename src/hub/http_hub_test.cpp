#include "hub/http_hub.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <future>
#include <thread>

#include "hub/local_hub_fixture.h"
#include "os/clock.h"

namespace willitrun {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Lt;
using testing::SizeIs;

class HttpHubTest : public LocalHubTest {
 protected:
  std::unique_ptr<Hub> hub(HubSettings settings = LocalHubTest::settings()) {
    return make_http_hub(std::move(settings), cancelled);
  }

  std::unique_ptr<Hub> hub_with_token(std::string token) {
    HubSettings with_token = settings();
    with_token.token = std::move(token);
    return hub(std::move(with_token));
  }

  static RepoRef repo(const std::string& id, const std::string& revision) { return {RepoKind::Model, id, revision}; }
};

TEST_F(HttpHubTest, ReadsAModelsDescription) {
  const auto sha =
      repositories().add_model("ann/small", {{"config.json", "{}"}}, {.downloads = 7, .trending_score = 3});
  const ModelInfo info = hub()->model_info({.id = "ann/small"}).value();
  EXPECT_EQ(info.id, "ann/small");
  EXPECT_EQ(info.sha, sha);
  EXPECT_EQ(info.pipeline_tag, "text-generation");
  EXPECT_EQ(info.downloads, 7);
  EXPECT_EQ(info.trending_score, 3);
  EXPECT_TRUE(info.is_local);
  EXPECT_EQ(hub()->model_info({.id = "ann/small", .revision = sha}).value().sha, sha);
}

TEST_F(HttpHubTest, TellsMissingFromGatedFromBroken) {
  const auto sha = repositories().add_model("ann/gated", {{"config.json", "{}"}}, {.gated = "manual"});
  repositories().add_model("ann/private", {{"config.json", "{}"}}, {.is_private = true});

  const auto missing =
      hub()->model_info({.id = "ann/nothing"});  // Status 401: the Hub hides what is missing and what is private.
  EXPECT_EQ(missing.error().code, Code::NotFound);
  EXPECT_THAT(missing.error().message, AllOf(HasSubstr("'ann/nothing'"), HasSubstr("RepoNotFound")));
  EXPECT_EQ(hub_with_token("hf_any")->model_info({.id = "ann/nothing"}).error().code, Code::NotFound) << "status 404";
  EXPECT_EQ(hub()->model_info({.id = "ann/private"}).error().code, Code::NotFound);
  EXPECT_TRUE(hub_with_token("hf_any")->model_info({.id = "ann/private"}));

  const auto no_revision = hub()->model_info({.id = "ann/gated", .revision = "v9"});
  EXPECT_EQ(no_revision.error().code, Code::NotFound);
  EXPECT_THAT(no_revision.error().message, HasSubstr("no revision 'v9'"));
  const auto no_file = hub_with_token("hf_granted")->read(repo("ann/gated", sha), "none.json", 100);
  EXPECT_EQ(no_file.error().code, Code::NotFound);
  EXPECT_THAT(no_file.error().message, HasSubstr("no file 'none.json'"));

  EXPECT_EQ(hub()->model_info({.id = "ann/gated"}).value().gated, Gate::Manual) << "what is gated may be looked at";
  const auto gated = hub()->read(repo("ann/gated", sha), "config.json", 100);
  EXPECT_EQ(gated.error().code, Code::PermissionDenied);
  EXPECT_THAT(gated.error().message, AllOf(HasSubstr("is gated"), HasSubstr("status 401")));
  EXPECT_EQ(hub_with_token("hf_any")->read(repo("ann/gated", sha), "config.json", 100).error().code,
            Code::PermissionDenied);
  EXPECT_EQ(hub_with_token("hf_granted")->read(repo("ann/gated", sha), "config.json", 100).value(), "{}");
}

TEST_F(HttpHubTest, UnderstandsRefusalsWithoutTheHubsCode) {
  const auto sha = repositories().add_model("ann/refused", {{"config.json", "{}"}});
  for (const auto& [status, code] : std::map<int, Code>{{401, Code::PermissionDenied},
                                                        {403, Code::PermissionDenied},
                                                        {404, Code::NotFound},
                                                        {418, Code::Corruption}}) {
    order(fmt::format(R"([{{"path": "config.json", "status": {}}}])", status));
    EXPECT_EQ(hub()->read(repo("ann/refused", sha), "config.json", 100).error().code, code) << status;
  }
}

TEST_F(HttpHubTest, FollowsThePagesOfAFileList) {
  const auto sha = repositories().add_model(
      "ann/many",
      {{"a.json", "1"}, {"b/c.json", "22"}, {"d.json", "333"}, {"e.json", "4444"}, {"f.safetensors", "55555"}});
  order(R"([{"path": "/tree/", "page": 2}])");
  const auto files = hub()->list_files(repo("ann/many", sha)).value();
  ASSERT_THAT(files, SizeIs(5));
  EXPECT_EQ(files[1].path, "b/c.json");
  EXPECT_EQ(files[1].size_bytes, 2u);
  EXPECT_EQ(files[4].lfs_sha256.size(), 64u);
  EXPECT_GE(seen().size(), 3u);
}

TEST_F(HttpHubTest, ReadsARankedListPageByPageUpToTheLimit) {
  for (int i = 0; i < 5; ++i)
    repositories().add_model(fmt::format("list/m{}", i), {},
                             {.task = "ranked", .downloads = i, .trending_score = 10 - i});
  order(R"([{"path": "/api/models\\?", "page": 2}])");
  const auto ids = [&](const ModelQuery& query) {
    std::vector<std::string> names;
    const auto models = hub()->list_models(query).value();
    for (const ModelInfo& info : models) names.push_back(info.id);
    return names;
  };
  EXPECT_THAT(ids({.task = "ranked", .limit = 3}), ElementsAre("list/m4", "list/m3", "list/m2"));
  EXPECT_THAT(ids({.task = "ranked", .sort = ModelSort::Trending, .limit = 100}), SizeIs(5));
  EXPECT_EQ(ids({.task = "ranked", .sort = ModelSort::Trending, .limit = 100}).front(), "list/m0");
}

TEST_F(HttpHubTest, KeepsTheTokenFromOtherHosts) {
  const auto sha = repositories().add_model("ann/lfs", {{"w.safetensors", "content"}});
  EXPECT_EQ(hub_with_token("hf_any")->read(repo("ann/lfs", sha), "w.safetensors", 100).value(), "content");
  const auto requests = seen();
  ASSERT_THAT(requests, SizeIs(2));
  EXPECT_EQ(requests[0].authorization, "Bearer hf_any");
  EXPECT_NE(requests[0].port, requests[1].port) << "content comes from the CDN's port";
  EXPECT_EQ(requests[1].authorization, std::nullopt);
}

TEST_F(HttpHubTest, KeepsTheTokenFromLinksToOtherHosts) {
  const auto sha = repositories().add_model("ann/linked", {{"w.safetensors", "content"}});
  ASSERT_TRUE(hub()->read(repo("ann/linked", sha), "w.safetensors", 100));
  const int other_port = seen().back().port;
  order(fmt::format(
      R"([{{"path": "/tree/", "times": 1, "headers": {{"Link": "<http://127.0.0.1:{}/api/models/ann/linked/tree/main>; rel=\"next\""}}}}])",
      other_port));
  EXPECT_FALSE(hub_with_token("hf_any")->list_files(repo("ann/linked", sha))) << "the same files twice";
  EXPECT_EQ(seen().back().port, other_port);
  EXPECT_EQ(seen().back().authorization, std::nullopt);
}

TEST_F(HttpHubTest, FollowsARenamedModelWithTheToken) {
  repositories().add_model("ann/new-name", {{"config.json", "{}"}}, {.is_private = true});
  order(
      R"([{"path": "/api/models/ann/old-name", "status": 307, "headers": {"Location": "/api/models/ann/new-name"}}])");
  EXPECT_EQ(hub_with_token("hf_any")->model_info({.id = "ann/old-name"}).value().id, "ann/new-name");
}

TEST_F(HttpHubTest, WaitsAsLongAsTheHubAsks) {
  const auto sha = repositories().add_model("ann/limited", {{"config.json", "{}"}});
  order(R"([{"path": "config.json", "times": 1, "status": 429, "headers": {"Retry-After": "1"}}])");
  std::vector<std::string> notices;
  HubSettings noticing = settings();
  noticing.on_retry = [&](std::string_view notice) { notices.emplace_back(notice); };
  const double start_s = system_clock().monotonic_s();
  EXPECT_EQ(hub(noticing)->read(repo("ann/limited", sha), "config.json", 100).value(), "{}");
  EXPECT_GE(system_clock().monotonic_s() - start_s, 1.0);
  ASSERT_THAT(notices, SizeIs(1));
  EXPECT_THAT(notices[0], AllOf(HasSubstr("status 429"), HasSubstr("1.0 s")));
}

TEST_F(HttpHubTest, GivesUpWhenTheHubAsksForMorePatienceThanAllowed) {
  const auto sha = repositories().add_model("ann/closed-for-today", {{"config.json", "{}"}});
  order(R"([{"path": "config.json", "status": 429, "headers": {"Retry-After": "3600"}}])");
  const auto answer = hub()->read(repo("ann/closed-for-today", sha), "config.json", 100);
  EXPECT_EQ(answer.error().code, Code::Unavailable);
  EXPECT_THAT(seen(), SizeIs(1));
}

TEST_F(HttpHubTest, TriesAgainAfterPassingTroubleAndThenGivesUp) {
  const auto sha = repositories().add_model("ann/shaky", {{"config.json", "{}"}});
  order(R"([{"path": "config.json", "times": 2, "status": 503}])");
  EXPECT_EQ(hub()->read(repo("ann/shaky", sha), "config.json", 100).value(), "{}");
  EXPECT_THAT(seen(), SizeIs(3));
  order(R"([{"path": "config.json", "status": 500}])");
  EXPECT_EQ(hub()->read(repo("ann/shaky", sha), "config.json", 100).error().code, Code::Unavailable);
  EXPECT_THAT(seen(), SizeIs(3 + settings().max_attempts));
}

TEST_F(HttpHubTest, TriesAgainWhenAnAnswerIsCut) {
  const auto sha = repositories().add_model("ann/cut", {{"config.json", noise(5000, 1)}});
  order(R"([{"path": "config.json", "times": 1, "cut_after": 100}])");
  EXPECT_EQ(hub()->read(repo("ann/cut", sha), "config.json", 10000).value(), noise(5000, 1));
}

TEST_F(HttpHubTest, EndsARequestThatFallsSilent) {
  const auto sha = repositories().add_model("ann/silent", {{"config.json", noise(5000, 1)}});
  order(R"([{"path": "config.json", "stall_after": 100}])");
  HubSettings impatient = settings();
  impatient.download_timeout_s = 1;
  impatient.max_attempts = 1;
  const auto answer = hub(impatient)->read(repo("ann/silent", sha), "config.json", 10000);
  EXPECT_EQ(answer.error().code, Code::Timeout);
  EXPECT_THAT(answer.error().message, HasSubstr("config.json"));
}

TEST_F(HttpHubTest, EndsAtOnceWhenCancelled) {
  const auto sha = repositories().add_model("ann/long", {{"config.json", noise(5000, 1)}});
  order(R"([{"path": "config.json", "stall_after": 100}])");
  HubSettings patient = settings();
  patient.download_timeout_s = 60;
  auto client = hub(patient);
  auto answer =
      std::async(std::launch::async, [&] { return client->read(repo("ann/long", sha), "config.json", 10000); });
  while (seen().empty()) std::this_thread::yield();
  const double start_s = system_clock().monotonic_s();
  cancelled = true;
  EXPECT_EQ(answer.get().error().code, Code::Cancelled);
  EXPECT_THAT(system_clock().monotonic_s() - start_s, Lt(5.0)) << "far less than the minute of silence that is allowed";
}

TEST_F(HttpHubTest, SaysThatNobodyAnswers) {
  HubSettings nobody = settings();
  nobody.endpoint = "http://127.0.0.1:9";  // The discard port: nobody listens.
  nobody.max_attempts = 2;
  EXPECT_EQ(hub(nobody)->model_info({.id = "ann/small"}).error().code, Code::Unavailable);
  nobody.endpoint = "http://hub.invalid";  // RFC 2606: never resolves.
  const auto answer = hub(nobody)->model_info({.id = "ann/small"});
  EXPECT_EQ(answer.error().code, Code::Unavailable);
  EXPECT_THAT(answer.error().message, HasSubstr("hub.invalid"));
}

TEST_F(HttpHubTest, RefusesAnswersThatAreNotTheProtocol) {
  const auto sha = repositories().add_model("ann/odd", {{"config.json", "0123456789"}});
  order(R"([{"path": "/api/models/ann/odd", "json": {"id": "ann/odd", "sha": "../../etc"}}])");
  EXPECT_EQ(hub()->model_info({.id = "ann/odd"}).error().code, Code::Corruption);
  order(R"([{"path": "/api/", "json": "surprise"}])");
  EXPECT_EQ(hub()->list_files(repo("ann/odd", sha)).error().code, Code::Corruption);
  EXPECT_EQ(hub()->list_models({.task = "text-generation"}).error().code, Code::Corruption);
  EXPECT_EQ(hub()->read(repo("ann/odd", sha), "config.json", 9).error().code, Code::ResourceExhausted);
}

TEST_F(HttpHubTest, RefusesUnsafePathsBeforeAnyFetch) {
  for (const char* path : {"../escape", "/etc/passwd", "a/../../b", "nul\\u0000byte", ""}) {
    order(fmt::format(R"([{{"path": "/tree/", "json": [{{"type": "file", "path": "{}", "size": 1, "oid": "{}"}}]}}])",
                      path, std::string(40, 'a')));
    EXPECT_EQ(hub()->list_files(repo("ann/evil", "main")).error().code, Code::Corruption) << path;
  }
}

TEST_F(HttpHubTest, ReadsRangesAtTheSameTime) {
  const std::string content = noise(100'000, 2);
  const auto sha = repositories().add_model("ann/ranges", {{"a.safetensors", content}, {"b.safetensors", content}});
  const std::vector<FileRange> ranges = {{"a.safetensors", 10, 20},
                                         {"b.safetensors", 99'990, 50},
                                         {"b.safetensors", 200'000, 5},
                                         {"none", 0, 5},
                                         {"a.safetensors", 0, 0}};
  const auto pieces = hub()->read_ranges(repo("ann/ranges", sha), ranges);
  EXPECT_EQ(pieces[0].value(), content.substr(10, 20));
  EXPECT_EQ(pieces[1].value(), content.substr(99'990)) << "shorter where the file ends";
  EXPECT_EQ(pieces[2].value(), "") << "beyond the end";
  EXPECT_EQ(pieces[3].error().code, Code::NotFound) << "one that fails does not take the others with it";
  EXPECT_EQ(pieces[4].value(), "");
}

TEST_F(HttpHubTest, CutsTheConnectionWhenAServerIgnoresRanges) {
  const std::string content = noise(20'000'000, 3);
  const auto sha = repositories().add_model("ann/no-ranges", {{"a.safetensors", content}});
  order(R"([{"path": "/cdn/", "ignore_range": true, "slow_ms": 1}])");
  const std::vector<FileRange> ranges = {{"a.safetensors", 1000, 100}};
  EXPECT_EQ(hub()->read_ranges(repo("ann/no-ranges", sha), ranges)[0].value(), content.substr(1000, 100));
  EXPECT_THAT(seen_bytes(), Lt(content.size() / 2));
}

TEST_F(HttpHubTest, ServesDatasetsToo) {
  const auto sha = repositories().add_dataset("aws/results", {{"data/a.parquet", "PAR1"}});
  const RepoRef asked = {RepoKind::Dataset, "aws/results", ""};
  EXPECT_EQ(hub()->resolve(asked).value(), sha);
  EXPECT_EQ(hub()->resolve({RepoKind::Dataset, "aws/none", ""}).error().code, Code::NotFound);
  const RepoRef pinned = {RepoKind::Dataset, "aws/results", sha};
  EXPECT_EQ(hub()->list_files(pinned).value().front().path, "data/a.parquet");
  EXPECT_EQ(hub()->read(pinned, "data/a.parquet", 10).value(), "PAR1");
}

}  // namespace
}  // namespace willitrun
