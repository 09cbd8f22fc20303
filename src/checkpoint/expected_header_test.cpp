#include "checkpoint/expected_header.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "checkpoint/header.h"

namespace willitrun {
namespace {

constexpr std::uint64_t kShardBytes = 4'999'802'720;

struct Sample {
  std::string header, map;
};

/// The header of a shard of a Llama model and its lines of the index.
Sample llama_shard(const std::string& file, int layers) {
  Sample sample{R"({"__metadata__":{"format":"pt"})", ""};
  std::uint64_t offset = 0;
  for (int layer = 0; layer < layers; ++layer)
    for (const auto& [name, rows, columns] : {std::tuple("self_attn.q_proj", 4096, 4096),
                                              {"self_attn.k_proj", 1024, 4096},
                                              {"mlp.gate_proj", 14336, 4096},
                                              {"mlp.down_proj", 4096, 14336},
                                              {"input_layernorm", 4096, 0}}) {
      const std::string tensor = fmt::format("model.layers.{}.{}.weight", layer, name);
      const std::string shape = columns ? fmt::format("{},{}", rows, columns) : std::to_string(rows);
      const std::uint64_t end =
          offset + 2ull * static_cast<unsigned>(rows) * static_cast<unsigned>(std::max(columns, 1));
      sample.header +=
          fmt::format(R"(,"{}":{{"dtype":"BF16","shape":[{}],"data_offsets":[{},{}]}})", tensor, shape, offset, end);
      sample.map += fmt::format(R"({}"{}":"{}")", sample.map.empty() ? "" : ",", tensor, file);
      offset = end;
    }
  sample.header += "}";
  return sample;
}

WeightIndex index_of(const std::string& map) {
  auto index = parse_weight_index(R"({"weight_map":{)" + map + "}}");
  EXPECT_TRUE(index);
  return std::move(*index);
}

TEST(ExpectedHeaderEnds, HoldsAHeaderAndLittleMore) {
  for (const int layers : {2, 10, 40}) {
    const Sample a = llama_shard("a.safetensors", layers), b = llama_shard("b.safetensors", 1);
    const WeightIndex index = index_of(a.map + "," + b.map);
    const auto ends = expected_header_ends({{"a.safetensors", kShardBytes}, {"b.safetensors", kShardBytes}}, &index);
    const double needed = static_cast<double>(kLengthBytes + a.header.size());
    EXPECT_GE(static_cast<double>(ends[0]), needed);
    EXPECT_LE(static_cast<double>(ends[0]), 1.1 * needed);
  }
}

TEST(ExpectedHeaderEnds, NeverGoesBeyondTheFile) {
  const WeightIndex index = index_of(llama_shard("a.safetensors", 40).map);
  EXPECT_EQ(expected_header_ends({{"a.safetensors", 500}, {"b.safetensors", 3}}, &index),
            (std::vector<std::uint64_t>{500, 3}));
}

TEST(ExpectedHeaderEnds, AsksForTheLengthOfAFileThatIsNotInTheIndex) {
  const WeightIndex index = index_of(R"("w":"a.safetensors")");
  EXPECT_EQ(expected_header_ends({{"a.safetensors", 10'000}, {"b.safetensors", 10'000}}, &index)[1], kLengthBytes);
}

TEST(ExpectedHeaderEnds, ReadsTheStartOfASingleFile) {
  EXPECT_EQ(expected_header_ends({{"model.safetensors", kShardBytes}}, nullptr), std::vector<std::uint64_t>{100'000});
}

}  // namespace
}  // namespace willitrun
