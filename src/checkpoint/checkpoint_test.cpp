#include "checkpoint/checkpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace willitrun {
namespace {

using testing::Contains;
using testing::Field;
using testing::HasSubstr;

/// Files in memory that count how many bytes are read of them.
class MemoryFiles : public ModelFiles {
 public:
  std::map<std::string, std::string> contents;
  std::uint64_t bytes_read = 0;

  Result<std::vector<ModelFile>> list() override {
    std::vector<ModelFile> files;
    for (const auto& [name, content] : contents) files.push_back({name, content.size()});
    return files;
  }
  Result<std::string> read(const std::string& name) override { return contents.at(name); }
  Result<std::vector<std::string>> read_ranges(std::span<const WeightRange> ranges) override {
    std::vector<std::string> texts;
    for (const WeightRange& range : ranges) {
      texts.push_back(contents.at(range.name).substr(range.offset, range.count));
      bytes_read += texts.back().size();
    }
    return texts;
  }
};

/// A weight file with one-byte tensors of the given names.
std::string weights(const std::vector<std::string>& names) {
  std::string text = "{";
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i ? ",\"" : "\"") + names[i] + R"(":{"dtype":"U8","shape":[1],"data_offsets":[)" + std::to_string(i) +
            "," + std::to_string(i + 1) + "]}";
  text += "}";
  std::string file;
  for (int i = 0; i < 8; ++i) file.push_back(static_cast<char>(text.size() >> (8 * i)));
  return file + text + std::string(names.size(), '\0');
}

MemoryFiles two_shards() {
  MemoryFiles files;
  files.contents["config.json"] = R"({"model_type":"llama"})";
  files.contents["model-00001-of-00002.safetensors"] = weights({"a", "b"});
  files.contents["model-00002-of-00002.safetensors"] = weights({"c"});
  files.contents["model.safetensors.index.json"] =
      R"({"metadata":{"total_size":3},"weight_map":{"a":"model-00001-of-00002.safetensors","b":"model-00001-of-00002.safetensors","c":"model-00002-of-00002.safetensors"}})";
  return files;
}

void set_index(MemoryFiles& files, const std::string& map) {
  files.contents["model.safetensors.index.json"] = R"({"weight_map":{)" + map + "}}";
}

auto code_is(PlanCode code) { return Contains(Field(&PlanNote::code, code)); }

TEST(ReadCheckpoint, CountsAllShards) {
  MemoryFiles files = two_shards();
  const auto checkpoint = read_checkpoint(files);
  ASSERT_TRUE(checkpoint && *checkpoint);
  EXPECT_EQ((*checkpoint)->stored_bytes, 3u);
  EXPECT_FALSE((*checkpoint)->contradiction);
}

TEST(ReadCheckpoint, NamesAGhostTensorWithItsShard) {
  MemoryFiles files = two_shards();
  set_index(
      files,
      R"("a":"model-00001-of-00002.safetensors","b":"model-00001-of-00002.safetensors","c":"model-00002-of-00002.safetensors","mtp.fc.weight":"model-00002-of-00002.safetensors")");
  const auto checkpoint = read_checkpoint(files);
  ASSERT_TRUE(checkpoint && *checkpoint);
  EXPECT_EQ((*checkpoint)->contradiction->code, PlanCode::IndexMismatch);
  EXPECT_THAT((*checkpoint)->contradiction->message,
              HasSubstr("'mtp.fc.weight' in 'model-00002-of-00002.safetensors'"));
  EXPECT_THAT((*checkpoint)->notes, code_is(PlanCode::GhostTensor));
}

TEST(ReadCheckpoint, MissesAShard) {
  MemoryFiles files = two_shards();
  files.contents.erase("model-00002-of-00002.safetensors");
  const auto checkpoint = read_checkpoint(files);
  ASSERT_TRUE(checkpoint && *checkpoint);
  EXPECT_EQ((*checkpoint)->contradiction->code, PlanCode::IndexMismatch);
  EXPECT_THAT((*checkpoint)->notes, code_is(PlanCode::MissingShard));
}

TEST(ReadCheckpoint, CountsOnlyWhatTheIndexLoads) {
  MemoryFiles files = two_shards();
  set_index(files, R"("a":"model-00001-of-00002.safetensors","b":"model-00001-of-00002.safetensors")");
  const auto checkpoint = read_checkpoint(files);
  ASSERT_TRUE(checkpoint && *checkpoint);
  EXPECT_EQ((*checkpoint)->stored_bytes, 2u);
  EXPECT_EQ((*checkpoint)->contradiction->code, PlanCode::IndexMismatch);
  EXPECT_THAT((*checkpoint)->notes, code_is(PlanCode::UnusedShard));
}

TEST(ReadCheckpoint, WarnsOfATensorInTwoShardsAndOfAWrongTotal) {
  MemoryFiles files = two_shards();
  files.contents["model-00002-of-00002.safetensors"] = weights({"c", "a"});
  files.contents["model.safetensors.index.json"].replace(files.contents["model.safetensors.index.json"].find(":3}"), 3,
                                                         ":9}");
  const auto checkpoint = read_checkpoint(files);
  ASSERT_TRUE(checkpoint && *checkpoint);
  EXPECT_THAT((*checkpoint)->notes, code_is(PlanCode::DuplicateTensor));
  EXPECT_THAT((*checkpoint)->notes, code_is(PlanCode::DeclaredTotalWrong));
  EXPECT_EQ((*checkpoint)->duplicates.size(), 1u);
}

TEST(ReadCheckpoint, RefusesFilesWithoutTensors) {
  MemoryFiles files;
  files.contents["config.json"] = "{}";
  files.contents["model.safetensors"] = weights({});
  const auto checkpoint = read_checkpoint(files);
  ASSERT_TRUE(checkpoint);
  ASSERT_FALSE(*checkpoint);
  EXPECT_EQ(checkpoint->error().code, PlanCode::NoWeights);
}

TEST(ReadCheckpoint, DoesNotFollowALyingLength) {
  MemoryFiles files = two_shards();
  files.contents["model-00001-of-00002.safetensors"] =
      std::string("\x40\x9D\xDF\x07\0\0\0\0", 8) + std::string(1'000'000, ' ');
  const auto checkpoint = read_checkpoint(files);
  ASSERT_TRUE(checkpoint);
  ASSERT_FALSE(*checkpoint);
  EXPECT_THAT((*checkpoint).error().message, HasSubstr("header 132095296 > 100000000"));
  EXPECT_LT(files.bytes_read, 400u) << "what headers of three tensors take";
}

TEST(ReadCheckpoint, ReadsTheRestOfAShardsHeaderThatIsLongerThanExpected) {
  MemoryFiles files = two_shards();
  std::string& shard = files.contents["model-00002-of-00002.safetensors"];
  const std::string header = shard.substr(8, shard.size() - 9) + std::string(5000, ' ');
  shard = std::string("\0\0\0\0\0\0\0\0", 8) + header + "x";
  for (std::size_t i = 0; i < 8; ++i) shard[i] = static_cast<char>(header.size() >> (8 * i));
  const auto checkpoint = read_checkpoint(files);
  ASSERT_TRUE(checkpoint && *checkpoint);
  EXPECT_EQ((*checkpoint)->stored_bytes, 3u);
}

TEST(ReadCheckpoint, ReadsHeadersLargerThanTheFirstRequest) {
  for (const std::size_t count : {1600u, 1700u, 1800u}) {
    MemoryFiles files;
    files.contents["config.json"] = "{}";
    std::vector<std::string> names;
    for (std::size_t i = 0; i < count; ++i) names.push_back("t" + std::to_string(i));
    files.contents["model.safetensors"] = weights(names);
    const auto checkpoint = read_checkpoint(files);
    ASSERT_TRUE(checkpoint && *checkpoint) << count;
    EXPECT_EQ((*checkpoint)->stored_bytes, count);
  }
}

TEST(ReadCheckpoint, RefusesABrokenConfig) {
  MemoryFiles files = two_shards();
  for (const std::string text : {"", "[]", "{", "\"text\""}) {
    files.contents["config.json"] = text;
    const auto checkpoint = read_checkpoint(files);
    ASSERT_TRUE(checkpoint);
    EXPECT_EQ((*checkpoint).error().code, PlanCode::BadConfig) << text;
  }
  files.contents["config.json"] = R"({"router_z": Infinity, "x": NaN})";
  EXPECT_TRUE(*read_checkpoint(files)) << "Python's numbers are read";
}

}  // namespace
}  // namespace willitrun
