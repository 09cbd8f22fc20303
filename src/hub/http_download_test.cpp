// Fetching files whole, with every way it can break off, and reading weight headers.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "hub/http_hub.h"
#include "hub/local_hub_fixture.h"
#include "os/file.h"

namespace willitrun {
namespace {

using testing::AllOf;
using testing::Ge;
using testing::HasSubstr;
using testing::Le;
using testing::SizeIs;

class HttpDownloadTest : public LocalHubTest {
 protected:
  /// A model with one weight file of this content; what a test downloads.
  void add(const std::string& id, const std::string& content) {
    repo_ = {RepoKind::Model, id, repositories().add_model(id, {{"w.safetensors", content}, {"small.json", "{}"}})};
    const auto hub = make_http_hub(settings(), cancelled);
    const auto files = hub->list_files(repo_).value();
    for (const HubFile& file : files) downloads_.push_back({file, scratch.path() / file.path});
    weights_ = scratch.path() / "w.safetensors";
    order("[]");
  }

  Status download(const HubSettings& with = settings()) {
    return make_http_hub(with, cancelled)->download(repo_, downloads_, [this](std::uint64_t bytes) {
      reported_ += bytes;
    });
  }

  /// Requests for content, in order.
  static std::vector<SeenRequest> content_requests() {
    std::vector<SeenRequest> requests;
    for (const SeenRequest& request : seen())
      if (request.path.starts_with("/cdn/")) requests.push_back(request);
    return requests;
  }

  static std::uint64_t content_bytes() {
    std::uint64_t bytes = 0;
    for (const SeenRequest& request : content_requests()) bytes += request.bytes;
    return bytes;
  }

  RepoRef repo_;
  std::vector<Download> downloads_;
  std::filesystem::path weights_;
  std::uint64_t reported_ = 0;
};

TEST_F(HttpDownloadTest, FetchesFilesOfBothKindsAndChecksThem) {
  const std::string content = noise(1'000'000, 1);
  add("ann/good", content);
  ASSERT_TRUE(download());
  EXPECT_EQ(read_file(weights_).value(), content);
  EXPECT_EQ(read_file(scratch.path() / "small.json").value(), "{}");
  EXPECT_EQ(reported_, content.size() + 2);
  EXPECT_EQ(content_bytes(), content.size());
}

TEST_F(HttpDownloadTest, GoesOnWhereACutTransferStopped) {
  const std::string content = noise(1'000'000, 2);
  add("ann/cut", content);
  order(R"([{"path": "/cdn/", "times": 3, "cut_after": 200000}])");
  ASSERT_TRUE(download());
  EXPECT_EQ(read_file(weights_).value(), content);
  const auto requests = content_requests();
  ASSERT_THAT(requests, SizeIs(4));
  EXPECT_EQ(requests[1].range, "bytes=200000-");
  EXPECT_EQ(requests[1].if_range.value(), '"' + downloads_[1].file.lfs_sha256 + '"');
  EXPECT_THAT(content_bytes(), Le(content.size())) << "no byte twice";
}

TEST_F(HttpDownloadTest, DoesNotCountATryThatBroughtBytesAsFailed) {
  const std::string content = noise(2'000'000, 3);
  add("ann/very-shaky", content);
  order(R"([{"path": "/cdn/", "times": 9, "cut_after": 200000}])");
  ASSERT_THAT(settings().max_attempts, Le(5));
  EXPECT_TRUE(download());
}

TEST_F(HttpDownloadTest, GoesOnAfterSilence) {
  const std::string content = noise(500'000, 4);
  add("ann/silent", content);
  order(R"([{"path": "/cdn/", "times": 1, "stall_after": 100000}])");
  HubSettings impatient = settings();
  impatient.download_timeout_s = 1;
  ASSERT_TRUE(download(impatient));
  EXPECT_EQ(read_file(weights_).value(), content);
}

TEST_F(HttpDownloadTest, GoesOnWithWhatAnEarlierProcessLeft) {
  const std::string content = noise(1'000'000, 5);
  add("ann/left", content);
  ASSERT_TRUE(write_file_atomically(weights_, content.substr(0, 600'000)));
  ASSERT_TRUE(download());
  EXPECT_EQ(read_file(weights_).value(), content);
  EXPECT_EQ(content_bytes(), 400'000u);
  EXPECT_EQ(reported_, content.size() + 2) << "what was there already is reported too";
}

TEST_F(HttpDownloadTest, AsksNothingForAFileThatIsWhole) {
  const std::string content = noise(1000, 6);
  add("ann/whole", content);
  ASSERT_TRUE(write_file_atomically(weights_, content));
  ASSERT_TRUE(download());
  EXPECT_THAT(content_requests(), SizeIs(0));
}

TEST_F(HttpDownloadTest, StartsAnewWhenTheEarlierPartWasWrong) {
  const std::string content = noise(1'000'000, 7);
  add("ann/wrong-part", content);
  ASSERT_TRUE(write_file_atomically(weights_, std::string(600'000, 'x')));
  ASSERT_TRUE(download());
  EXPECT_EQ(read_file(weights_).value(), content);
  ASSERT_TRUE(write_file_atomically(weights_, content + "too much"));
  ASSERT_TRUE(download());
  EXPECT_EQ(read_file(weights_).value(), content);
}

TEST_F(HttpDownloadTest, StartsAnewWhenTheServerIgnoresTheRange) {
  const std::string content = noise(1'000'000, 8);
  add("ann/no-range", content);
  ASSERT_TRUE(write_file_atomically(weights_, content.substr(0, 600'000)));
  order(R"([{"path": "/cdn/", "ignore_range": true}])");
  ASSERT_TRUE(download());
  EXPECT_EQ(read_file(weights_).value(), content);
}

TEST_F(HttpDownloadTest, RefusesContentWithAWrongHash) {
  add("ann/flipped", noise(100'000, 9));
  order(R"([{"path": "/cdn/", "flip_byte": 50000}])");
  const Status status = download();
  EXPECT_EQ(status.error().code, Code::Corruption);
  EXPECT_THAT(status.error().message, AllOf(HasSubstr("'w.safetensors'"), HasSubstr(downloads_[1].file.lfs_sha256)));
  EXPECT_FALSE(std::filesystem::exists(weights_)) << "wrong content may not be gone on with";
  EXPECT_THAT(content_requests(), SizeIs(1)) << "it was whole: asking again would bring the same";

  ASSERT_TRUE(remove_tree(scratch.path() / "small.json"));
  order(R"([{"path": "small.json", "flip_byte": 1}])");
  EXPECT_EQ(download().error().code, Code::Corruption) << "files kept in git are checked by their object id";
}

TEST_F(HttpDownloadTest, RefusesMoreBytesThanListed) {
  add("ann/longer", noise(1000, 10));
  downloads_[1].file.size_bytes = 500;
  EXPECT_EQ(download().error().code, Code::Corruption);
}

TEST_F(HttpDownloadTest, StopsAtTheFirstFileThatCannotBeHad) {
  add("ann/half", noise(20'000'000, 11));
  order(R"([{"path": "small.json", "status": 404}, {"path": "/cdn/", "slow_ms": 5}])");
  EXPECT_EQ(download().error().code, Code::NotFound);
  EXPECT_THAT(content_bytes(), Le(10'000'000u));
}

TEST_F(HttpDownloadTest, KeepsWhatFitsWhenTheDiskIsFullAndGoesOnLater) {
  const std::string content = noise(1'000'000, 12);
  add("ann/large", content);
  const pid_t child = ::fork();
  if (child == 0) {  // The limit on file size makes write() fail half-way, as a full disk does.
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit = {300'000, 300'000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const Status status = download();
    ::_exit(!status && status.error().code == Code::ResourceExhausted ? 0 : 1);
  }
  int exit_status = -1;
  ASSERT_EQ(::waitpid(child, &exit_status, 0), child);
  EXPECT_EQ(exit_status, 0);
  EXPECT_THAT(size_of_file(weights_).value(), AllOf(Ge(250'000u), Le(300'000u)));
  ASSERT_TRUE(download());
  EXPECT_EQ(read_file(weights_).value(), content);
}

class SafetensorsHeaderTest : public LocalHubTest {
 protected:
  std::vector<Result<std::string>> headers(const std::string& id, const LocalMirrorFixture::Files& contents) {
    const auto hub = make_http_hub(settings(), cancelled);
    const RepoRef repo = {RepoKind::Model, id, repositories().add_model(id, contents)};
    const auto files = hub->list_files(repo).value();
    order("[]");
    before_ = seen().size();
    before_bytes_ = seen_bytes();
    return read_safetensors_headers(*hub, repo, files);
  }
  std::size_t num_requests() const { return seen().size() - before_; }
  std::uint64_t num_bytes() const { return seen_bytes() - before_bytes_; }

 private:
  std::size_t before_ = 0;
  std::uint64_t before_bytes_ = 0;
};

TEST_F(SafetensorsHeaderTest, ReadsOneFileWithOneRead) {
  const std::string json(50'000, ' ');
  const auto read = headers("ann/one", {{"model.safetensors", safetensors_file(json, 1'000'000)}});
  EXPECT_EQ(read[0].value().substr(8, json.size()), json);
  EXPECT_EQ(num_requests(), 2u) << "one read is a request to the Hub and one to the CDN";
  EXPECT_EQ(num_bytes(), 100'000u);
}

TEST_F(SafetensorsHeaderTest, ReadsALongHeaderWithASecondRead) {
  const std::string json(150'000, ' ');
  const auto read = headers("ann/long", {{"model.safetensors", safetensors_file(json, 1'000'000)}});
  EXPECT_EQ(read[0].value().size(), json.size() + 8);
  EXPECT_EQ(num_bytes(), json.size() + 8) << "no byte twice";
}

TEST_F(SafetensorsHeaderTest, ReadsManyShardsWithOneReadEach) {
  LocalMirrorFixture::Files shards;
  for (int i = 0; i < 20; ++i)
    shards[fmt::format("model-{:05}.safetensors", i)] = safetensors_file(std::string(3000, ' '), 500'000);
  const auto read = headers("ann/shards", shards);
  for (const auto& header : read)
    EXPECT_EQ(header.value().substr(0, 3008), safetensors_file(std::string(3000, ' '), 0));
  EXPECT_EQ(num_requests(), 40u) << "one read each: a request to the Hub and one to the CDN";
  EXPECT_EQ(num_bytes(), 20u * 16384u);
}

TEST_F(SafetensorsHeaderTest, ReadsTheLongHeadersAmongManyWithASecondRead) {
  const std::string json(100'000, ' ');
  const auto read = headers("ann/some-long", {{"a.safetensors", safetensors_file("{}", 500'000)},
                                              {"b.safetensors", safetensors_file(json, 500'000)}});
  EXPECT_EQ(read[1].value(), safetensors_file(json, 0));
  EXPECT_EQ(num_bytes(), 16384u + 100'008u) << "no byte twice";
}

TEST_F(SafetensorsHeaderTest, DoesNotFollowALengthThatLies) {
  std::string beyond_end = safetensors_file("{}", 100);
  beyond_end[2] = 1;  // 65,538 bytes of header in a file of 110.
  std::string endless = safetensors_file("{}", 100);
  endless[7] = 127;  // 2^62 and more.
  const auto read =
      headers("ann/liars", {{"a.safetensors", beyond_end}, {"b.safetensors", endless}, {"c.safetensors", "tiny"}});
  EXPECT_EQ(read[0].value(), beyond_end);
  EXPECT_EQ(read[1].value(), endless);
  EXPECT_EQ(read[2].value(), "tiny");
  EXPECT_EQ(num_requests(), 6u) << "the first read of each, and nothing more";
}

}  // namespace
}  // namespace willitrun
