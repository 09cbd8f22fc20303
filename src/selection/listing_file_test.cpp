#include "selection/listing_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace willitrun {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(ListingFileName, NamesSourceTaskAndDate) {
  const auto tsv = parse_listing_file_name("my_radar_text-generation_2026-08-22.tsv");
  ASSERT_TRUE(tsv);
  EXPECT_EQ(tsv->source, "my_radar");
  EXPECT_EQ(tsv->task, "text-generation");
  EXPECT_EQ(tsv->date, parse_time("2026-08-22"));
  EXPECT_EQ(parse_listing_file_name("radar_models_2026-08-22.jsonl")->task, "");
  for (const char* name : {"radar_text-generation.tsv", "radar_x_2026-13-22.tsv", "radar_models_2026-08-22.json",
                           "SOURCES.md", "radar_models_2026-08-22.tsv", "radar_text_2026-08-22.jsonl", "listing.jsonl"})
    EXPECT_FALSE(parse_listing_file_name(name)) << name;
}

TEST(TsvListing, ReadsColumnsByName) {
  const auto models = parse_tsv_listing(
      "likes\tid\tgated\tformats\tdownloads_30d\ttrending_score\tparameters\tlibrary\tlicense\tnew\r\n"
      "3\ta/b\t1\tonnx,safetensors\t12\t0.5\t700\ttransformers\tmit\tx\r\n"
      "\tc/d\t0\t\t\t\t\t\t\t\n",
      "text");
  ASSERT_TRUE(models) << models.error().message;
  ASSERT_EQ(models->size(), 2U);
  const RankedModel& model = models->front();
  EXPECT_EQ(model.id, "a/b");
  EXPECT_EQ(model.task, "text");
  EXPECT_EQ(model.likes, 3);
  EXPECT_TRUE(model.gated);
  EXPECT_THAT(model.formats, ElementsAre("onnx", "safetensors"));
  EXPECT_EQ(model.downloads, 12);
  EXPECT_EQ(model.trending_score, 0.5);
  EXPECT_EQ(model.parameters, 700);
  EXPECT_EQ(model.library, "transformers");
  EXPECT_EQ(model.license, "mit");
  EXPECT_FALSE(models->at(1).downloads);
  EXPECT_FALSE(models->at(1).gated);
}

TEST(TsvListing, NamesLineAndColumnOfWhatIsWrong) {
  const auto message = [](std::string_view tsv) {
    const auto models = parse_tsv_listing(tsv, "text");
    return models ? "" : models.error().message;
  };
  EXPECT_EQ(message("id\tlikes\na/b\tmany\n"), "line 2: 'many' is no value of column 'likes'");
  EXPECT_EQ(message("id\tlikes\na/b\t-1\n"), "line 2: '-1' is no value of column 'likes'");
  EXPECT_EQ(message("id\tlikes\na/b\n"), "line 2: it has 1 columns, the first line has 2");
  EXPECT_EQ(message("id\na/b\na/b\n"), "line 3: 'a/b' is here twice");
  EXPECT_EQ(message("id\n../x\n"), "line 2: '../x' is no Hub id");
  EXPECT_EQ(message("name\na\n"), "line 1: it names no column 'id'");
  EXPECT_EQ(message(""), "the list is empty");
}

TEST(JsonlListing, ReadsTheHubsNamesAndTheRadars) {
  const auto models = parse_jsonl_listing(
      R"({"id":"a/b","pipeline_tag":"text-generation","library_name":"transformers","downloads":5,"likes":1,"trendingScore":2,)"
      R"("gated":"auto","tags":["safetensors","license:mit"],"safetensors":{"parameters":{"BF16":9},"total":9},"local":true})"
      "\n"
      R"({"id":"c/d","pipeline_tag":null,"library":"mlx","downloads_30d":7,"trending_score":0,"parameters":3,"formats":["mlx"],)"
      R"("gated":false,"removed":true,"license":"apache-2.0"})"
      "\n");
  ASSERT_TRUE(models) << models.error().message;
  ASSERT_EQ(models->size(), 2U);
  const RankedModel& hub = models->at(0);
  EXPECT_EQ(hub.task, "text-generation");
  EXPECT_EQ(hub.library, "transformers");
  EXPECT_EQ(hub.downloads, 5);
  EXPECT_EQ(hub.trending_score, 2.0);
  EXPECT_EQ(hub.parameters, 9);
  EXPECT_EQ(hub.license, "mit");
  EXPECT_THAT(hub.formats, ElementsAre("safetensors"));
  EXPECT_TRUE(hub.gated && hub.local && !hub.removed);
  const RankedModel& radar = models->at(1);
  EXPECT_EQ(radar.task, "");
  EXPECT_EQ(radar.downloads, 7);
  EXPECT_EQ(radar.parameters, 3);
  EXPECT_THAT(radar.formats, ElementsAre("mlx"));
  EXPECT_TRUE(radar.removed && !radar.gated && !radar.local);
}

TEST(JsonlListing, NamesLineAndFieldOfWhatIsWrong) {
  const auto message = [](std::string_view jsonl) {
    const auto models = parse_jsonl_listing(jsonl);
    return models ? "" : models.error().message;
  };
  EXPECT_EQ(message("{\"id\":\"a/b\"}\n{\"id\":\"a/c\",\"likes\":\"many\"}\n"),
            "line 2: field 'likes' has a value of the wrong type");
  EXPECT_EQ(message("{\"id\":\"a/b\"}\n{\"id\":\n"), "line 2: it is no JSON object");
  EXPECT_THAT(message("{}\n"), HasSubstr("'' is no Hub id"));
}

}  // namespace
}  // namespace willitrun
