#include "hub/mirror.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/wait.h>

#include <csignal>
#include <thread>

#include "hub/http_hub.h"
#include "hub/hub_json.h"
#include "hub/local_hub_fixture.h"
#include "hub/mirrored_hub.h"
#include "os/file.h"
#include "testing/child_process.h"
#include "testing/small_disk.h"

namespace willitrun {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::Gt;
using testing::HasSubstr;
using testing::Le;
using testing::SizeIs;

class MirrorTest : public LocalHubTest {
 protected:
  /// A model as the Hub lists it.
  struct Model {
    RepoRef repo;
    std::vector<HubFile> files;
  };

  Model add(const std::string& id, const LocalMirrorFixture::Files& contents) {
    Model model;
    model.repo = {RepoKind::Model, id, repositories().add_model(id, contents)};
    model.files = make_http_hub(settings(), cancelled)->list_files(model.repo).value();
    return model;
  }

  Mirror mirror(MirrorSettings with = {}) { return Mirror(root_, std::move(with), cancelled); }

  Result<Snapshot> fetch(Mirror in, const Model& model) {
    return in.fetch(*make_http_hub(settings(), cancelled), model.repo, model.files, {});
  }
  Result<Snapshot> fetch(const Model& model) { return fetch(mirror(), model); }

  bool has_snapshot(const Model& model) { return mirror().find(model.repo).value().has_value(); }

  fs::path blob(const Model& model, std::size_t file) {
    return RepositoryFolder(root_, model.repo).blob(model.files[file].etag());
  }

  static std::size_t num_content_requests() {
    std::size_t count = 0;
    for (const SeenRequest& request : seen()) count += request.path.starts_with("/cdn/") ? 1 : 0;
    return count;
  }

  const fs::path root_ = scratch.path() / "models";
};

TEST_F(MirrorTest, LaysFilesOutAsHuggingfaceHubDoes) {
  const Model model = add("ann/deep", {{"config.json", "{}"}, {"w.safetensors", "weights"}, {"a/b/c.jinja", "x"}});
  const Snapshot snapshot = fetch(model).value();
  EXPECT_EQ(snapshot.repository(), root_ / "models--ann--deep");
  EXPECT_EQ(snapshot.folder(), snapshot.repository() / "snapshots" / model.repo.revision);
  EXPECT_EQ(read_file(snapshot.folder() / "w.safetensors").value(), "weights");
  EXPECT_EQ(read_file(snapshot.folder() / "a/b/c.jinja").value(), "x");
  EXPECT_EQ(fs::read_symlink(snapshot.folder() / "a/b/c.jinja"), "../../../../blobs/" + model.files[0].oid);
  EXPECT_EQ(read_file(snapshot.repository() / "blobs" / model.files[2].lfs_sha256).value(), "weights");
}

TEST_F(MirrorTest, FetchesEachContentOnce) {
  const Model model = add("ann/twice", {{"a.safetensors", "same"}, {"b.safetensors", "same"}});
  ASSERT_TRUE(fetch(model));
  EXPECT_EQ(num_content_requests(), 1u);
  ASSERT_TRUE(fetch(model));
  EXPECT_EQ(num_content_requests(), 1u);
}

TEST_F(MirrorTest, RefusesUnsafePathsAndDigestsBeforeAnyFetch) {
  const Model good = add("ann/unsafe", {{"config.json", "{}"}});
  const std::string deep(300, 'x');
  for (const std::string& path : {std::string("../x"), std::string("/etc/x"), std::string("a\0b", 3), deep}) {
    Model bad = good;
    bad.files[0].path = path;
    order("[]");
    const auto before = seen().size();
    EXPECT_EQ(fetch(bad).error().code, Code::InvalidArgument) << path;
    EXPECT_THAT(seen(), SizeIs(before));
  }
  Model bad = good;
  bad.files[0].oid = "../../../../tmp/x";
  EXPECT_EQ(fetch(bad).error().code, Code::InvalidArgument);
  bad = good;
  bad.repo.revision = "main";
  EXPECT_EQ(fetch(bad).error().code, Code::InvalidArgument) << "a branch moves";
}

TEST_F(MirrorTest, TakesOverWhatTheUsersCacheHolds) {
  const Model model = add("ann/cached", {{"config.json", "{}"}, {"w.safetensors", "weights"}});
  const fs::path users = scratch.path() / "users";
  ASSERT_TRUE(Mirror(users, {}, cancelled).fetch(*make_http_hub(settings(), cancelled), model.repo, model.files, {}));
  const auto before = seen().size();
  ASSERT_TRUE(fetch(mirror({.user_cache = users}), model));
  EXPECT_THAT(seen(), SizeIs(before)) << "nothing is fetched";
  EXPECT_EQ(fs::hard_link_count(blob(model, 1)), 2u) << "and it takes no space";
  EXPECT_EQ(mirror().held_bytes().value(), 0u);
  fs::remove_all(users);
  EXPECT_EQ(read_file(blob(model, 1)).value(), "weights") << "nor does it go with the user's cache";
}

TEST_F(MirrorTest, DoesNotTakeOverABrokenFileOfTheUsersCache) {
  const Model model = add("ann/rotten", {{"w.safetensors", "weights"}});
  const RepositoryFolder users(scratch.path() / "users", model.repo);
  ASSERT_TRUE(write_file_atomically(users.blob(model.files[0].etag()), "weighty"));
  ASSERT_TRUE(fetch(mirror({.user_cache = scratch.path() / "users"}), model));
  EXPECT_EQ(read_file(blob(model, 0)).value(), "weights");
}

TEST_F(MirrorTest, PublishesNothingThatHasAWrongHash) {
  const Model model = add("ann/flipped", {{"w.safetensors", noise(1000, 1)}});
  order(R"([{"path": "/cdn/", "flip_byte": 10}])");
  EXPECT_EQ(fetch(model).error().code, Code::Corruption);
  EXPECT_FALSE(fs::exists(blob(model, 0)));
  EXPECT_FALSE(has_snapshot(model));
}

TEST_F(MirrorTest, RemovesTheLeastRecentlyUsedSnapshotFirst) {
  const Model first = add("ann/first", {{"w.safetensors", noise(1000, 1)}});
  const Model second = add("ann/second", {{"w.safetensors", noise(1000, 2)}});
  const Model third = add("ann/third", {{"w.safetensors", noise(1000, 3)}});
  const MirrorSettings small = {.budget_bytes = 2500};
  ASSERT_TRUE(fetch(mirror(small), first));
  ASSERT_TRUE(fetch(mirror(small), second));
  ASSERT_TRUE(mirror(small).find(first.repo).value().has_value()) << "a look is a use";
  ASSERT_TRUE(fetch(mirror(small), third));
  EXPECT_TRUE(has_snapshot(first));
  EXPECT_FALSE(has_snapshot(second));
  EXPECT_FALSE(fs::exists(blob(second, 0)));
  EXPECT_TRUE(has_snapshot(third));
  EXPECT_EQ(mirror().held_bytes().value(), 2000u);
}

TEST_F(MirrorTest, NeverRemovesWhatIsInUse) {
  const Model used = add("ann/used", {{"w.safetensors", noise(1000, 1)}});
  const Model next = add("ann/next", {{"w.safetensors", noise(1000, 2)}});
  const MirrorSettings small = {.budget_bytes = 1500};
  {
    const Snapshot snapshot = fetch(mirror(small), used).value();
    const auto refused = fetch(mirror(small), next);
    EXPECT_EQ(refused.error().code, Code::ResourceExhausted);
    EXPECT_THAT(refused.error().message, HasSubstr("in use"));
    EXPECT_TRUE(fs::exists(snapshot.folder() / "w.safetensors"));
  }
  EXPECT_TRUE(fetch(mirror(small), next)) << "now it may go";
  EXPECT_FALSE(has_snapshot(used));
}

TEST_F(MirrorTest, RefusesAModelLargerThanTheBudgetWithoutRemovingAnything) {
  const Model kept = add("ann/kept", {{"w.safetensors", noise(1000, 1)}});
  const Model huge = add("ann/huge", {{"w.safetensors", noise(3000, 2)}});
  const MirrorSettings small = {.budget_bytes = 2000};
  ASSERT_TRUE(fetch(mirror(small), kept));
  EXPECT_EQ(fetch(mirror(small), huge).error().code, Code::ResourceExhausted);
  EXPECT_TRUE(has_snapshot(kept));
}

TEST_F(MirrorTest, KeepsBlobsThatAnotherRevisionLinksTo) {
  const Model old_state = add("ann/moving", {{"a.safetensors", noise(1000, 1)}, {"b.safetensors", noise(1000, 2)}});
  ASSERT_TRUE(fetch(old_state));
  const Model new_state = add("ann/moving", {{"a.safetensors", noise(1000, 1)}, {"b.safetensors", noise(1000, 3)}});
  ASSERT_TRUE(fetch(new_state));
  EXPECT_EQ(mirror().evict_to(2500).value(), 2000u);
  EXPECT_FALSE(has_snapshot(old_state));
  const Snapshot left = mirror().find(new_state.repo).value().value();
  EXPECT_EQ(read_file(left.folder() / "a.safetensors").value(), noise(1000, 1));
}

TEST_F(MirrorTest, GoesOnAfterBeingKilled) {
  const std::string content = noise(4'000'000, 4);
  const Model model = add("ann/killed", {{"config.json", "{}"}, {"w.safetensors", content}});
  order(R"([{"path": "/cdn/", "times": 1, "slow_ms": 20}])");
  const fs::path unfinished = RepositoryFolder(root_, model.repo).unfinished_blob(model.files[1].etag());
  const pid_t child = start_child([&] { return fetch(model).has_value(); });
  while (size_of_file(unfinished).value_or(0) < 1'000'000) std::this_thread::yield();
  ::kill(child, SIGKILL);
  EXPECT_EQ(wait_for_child(child), 128 + SIGKILL);
  EXPECT_FALSE(has_snapshot(model)) << "nothing half visible";

  const Snapshot snapshot = fetch(model).value();
  EXPECT_EQ(read_file(snapshot.folder() / "w.safetensors").value(), content);
  EXPECT_THAT(seen().back().range.value(), HasSubstr("bytes=")) << "what was there is not fetched again";
  EXPECT_THAT(seen().back().bytes, Le(3'000'000u));
}

TEST_F(MirrorTest, LetsTwoProcessesFetchTheSameModelAtOnce) {
  const Model model = add("ann/shared", {{"a.safetensors", noise(500'000, 5)}, {"b.safetensors", noise(500'000, 6)}});
  order(R"([{"path": "/cdn/", "slow_ms": 20}])");
  const auto work = [&] {
    const auto snapshot = fetch(model);
    return snapshot && read_file(snapshot->folder() / "b.safetensors").value() == noise(500'000, 6);
  };
  const pid_t first = start_child(work);
  const pid_t second = start_child(work);
  EXPECT_EQ(wait_for_child(first), 0);
  EXPECT_EQ(wait_for_child(second), 0);
  EXPECT_EQ(num_content_requests(), 2u) << "each file once";
}

TEST_F(MirrorTest, GivesUpWaitingForAnotherProcessWhenCancelled) {
  const Model model = add("ann/waiting", {{"w.safetensors", "weights"}});
  const auto lock = FileLock::acquire(RepositoryFolder(root_, model.repo).blob_lock(model.files[0].etag()));
  cancelled = true;
  EXPECT_EQ(fetch(model).error().code, Code::Cancelled);
}

TEST_F(MirrorTest, SaysThatTheDiskIsTooSmallAndLeavesNothingHalfVisible) {
  const Model model = add("ann/large", {{"w.safetensors", noise(4'000'000, 7)}});
  ASSERT_TRUE(make_folder(root_));
  const int status = wait_for_child(start_child([&] {
    if (!mount_small_disk(root_, 2'000'000)) ::_exit(kNoSmallDisk);
    const auto refused = fetch(model);
    const bool is_told = !refused && refused.error().code == Code::ResourceExhausted;
    return is_told && !has_snapshot(model) && num_content_requests() == 0;
  }));
  if (status == kNoSmallDisk) GTEST_SKIP() << "this machine does not let a test mount a small disk";
  EXPECT_EQ(status, 0);
}

TEST_F(MirrorTest, SweepsBlobsThatBelongToNothing) {
  const Model model = add("ann/orphan", {{"w.safetensors", noise(1000, 8)}});
  const RepositoryFolder repository(root_, model.repo);
  ASSERT_TRUE(write_file_atomically(repository.unfinished_blob(model.files[0].etag()), std::string(600, 'x')));
  EXPECT_EQ(mirror().held_bytes().value(), 600u);
  EXPECT_EQ(mirror().evict_to(0).value(), 0u);
}

TEST_F(MirrorTest, AnswersAloneWhenOffline) {
  const Model model = add("ann/offline", {{"config.json", "{}"}, {"w.safetensors", "weights"}});
  Mirror here = mirror();
  const auto http = make_http_hub(settings(), cancelled);
  MirroredHub online(here, http.get());
  const ModelInfo info = online.model_info({.id = "ann/offline"}).value();
  ASSERT_TRUE(online.list_files(repo_of(info)));
  ASSERT_TRUE(here.fetch(online, repo_of(info), model.files, {}));

  const auto before = seen().size();
  MirroredHub offline(here, nullptr);
  EXPECT_EQ(offline.model_info({.id = "ann/offline"}).value(), info);
  EXPECT_EQ(offline.model_info({.id = "ann/offline", .revision = info.sha}).value(), info);
  EXPECT_EQ(offline.resolve({RepoKind::Model, "ann/offline", "main"}).value(), info.sha);
  EXPECT_EQ(offline.list_files(repo_of(info)).value(), model.files);
  EXPECT_EQ(offline.read(repo_of(info), "config.json", 100).value(), "{}");
  const std::vector<FileRange> ranges = {{"w.safetensors", 1, 3}, {"none", 0, 8}};
  const auto pieces = offline.read_ranges(repo_of(info), ranges);
  EXPECT_EQ(pieces[0].value(), "eig");
  EXPECT_EQ(pieces[1].error().code, Code::Unavailable);
  EXPECT_TRUE(here.fetch(offline, repo_of(info), model.files, {}));
  EXPECT_THAT(seen(), SizeIs(before));

  const auto unknown = offline.model_info({.id = "ann/never-seen"});
  EXPECT_EQ(unknown.error().code, Code::Unavailable) << "not here is not the same as not there";
  EXPECT_THAT(unknown.error().message, AllOf(HasSubstr("'ann/never-seen'"), HasSubstr("HF_HUB_OFFLINE")));
  EXPECT_EQ(offline.read(repo_of(info), "../../../escape", 100).error().code, Code::Unavailable);
}

TEST_F(MirrorTest, TakesAnswersThatAPowerCutEmptiedForMissing) {
  const Model model = add("ann/emptied", {{"config.json", "{}"}});
  Mirror here = mirror();
  const auto http = make_http_hub(settings(), cancelled);
  MirroredHub online(here, http.get());
  const ModelInfo info = online.model_info({.id = "ann/emptied"}).value();
  ASSERT_TRUE(online.list_files(model.repo));
  const RepositoryFolder kept(root_, model.repo);
  for (const fs::path& file : {kept.info(info.sha), kept.tree(info.sha), kept.ref("main")}) {
    ASSERT_TRUE(fs::exists(file));
    ASSERT_TRUE(write_file_atomically(file, ""));
  }
  MirroredHub offline(here, nullptr);
  EXPECT_EQ(offline.model_info({.id = "ann/emptied"}).error().code, Code::Unavailable);
  EXPECT_EQ(offline.list_files(model.repo).error().code, Code::Unavailable);
  EXPECT_EQ(online.list_files(model.repo).value(), model.files) << "asked again";
  EXPECT_EQ(online.model_info({.id = "ann/emptied"}).value(), info);
}

TEST_F(MirrorTest, AnswersFromTheUsersCacheWhenOffline) {
  const Model model = add("ann/users", {{"config.json", "{}"}, {"model.safetensors", "weights"}, {"extra.png", "x"}});
  const RepositoryFolder users(scratch.path() / "users", model.repo);
  const std::vector<HubFile> wanted = {model.files[0], model.files[2]};
  ASSERT_TRUE(Mirror(scratch.path() / "users", {}, cancelled)
                  .fetch(*make_http_hub(settings(), cancelled), model.repo, wanted, {}));
  ASSERT_TRUE(write_file_atomically(users.ref("main"), model.repo.revision));

  Mirror here = mirror({.user_cache = scratch.path() / "users"});
  MirroredHub offline(here, nullptr);
  EXPECT_EQ(offline.model_info({.id = "ann/users"}).value().sha, model.repo.revision);
  const auto listed = offline.list_files(model.repo).value();
  ASSERT_THAT(listed, SizeIs(2)) << "the snapshot is the list when its weights are complete";
  EXPECT_EQ(listed[1].etag(), model.files[2].etag());
  EXPECT_EQ(offline.read(model.repo, "config.json", 100).value(), "{}");

  const fs::path link = users.snapshot(model.repo.revision) / "model.safetensors";
  fs::rename(link, scratch.path() / "away");
  EXPECT_EQ(offline.list_files({RepoKind::Model, "ann/users", model.repo.revision}).error().code, Code::Unavailable)
      << "of a part nobody can tell what the repository lacks";
  ASSERT_TRUE(write_file_atomically(users.tree(model.repo.revision), to_cached_tree(model.files)));
  EXPECT_EQ(offline.list_files(model.repo).value(), model.files) << "a kept list says it";
  fs::rename(scratch.path() / "away", link);
  EXPECT_TRUE(here.fetch(offline, model.repo, wanted, {}));
}

TEST_F(MirrorTest, AsksTheHubOnlyForWhatMayHaveChanged) {
  const Model model = add("ann/fixed", {{"config.json", "{}"}});
  Mirror here = mirror();
  const auto http = make_http_hub(settings(), cancelled);
  MirroredHub hub(here, http.get());
  ASSERT_TRUE(hub.list_files(model.repo));
  ASSERT_TRUE(here.fetch(hub, model.repo, model.files, {}));
  const auto before = seen().size();
  ASSERT_TRUE(hub.list_files(model.repo));
  ASSERT_TRUE(hub.read(model.repo, "config.json", 100));
  EXPECT_THAT(seen(), SizeIs(before));
  ASSERT_TRUE(hub.model_info({.id = "ann/fixed"}));
  EXPECT_THAT(seen(), SizeIs(before + 1));
}

}  // namespace
}  // namespace willitrun
