#include "domain/row_json.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

namespace willitrun {
namespace {

Row full_row() {
  Row row;
  row.model_id = "owner/name";
  row.tp = 4;
  row.wall_s = -1;
  row.hbm_peak_gb = 0.1;
  row.error = "a \"quoted\"\nline \xF0\x9F\x98\x80";
  row.tested_at = parse_time("2026-10-31T08:05:00.123Z");
  row.emulated = false;
  row.tokens = std::vector<std::int32_t>{1, 2};
  row.fallback_ops = std::vector<std::string>{"aten::sort", ""};
  row.peak_bytes_per_core = 1LL << 60;
  return row;
}

TEST(RowJson, RoundTripsEveryType) {
  const auto read = row_from_json(to_json(full_row()));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, full_row());
}

TEST(RowJson, KeepsEveryBitOfANumber) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 10'000; ++i) {
    Row row;
    row.margin = std::bit_cast<double>(random());
    if (!std::isfinite(*row.margin)) continue;
    EXPECT_EQ(row_from_json(to_json(row)).value().margin, row.margin);
  }
}

TEST(RowJson, IgnoresUnknownFieldsOfAnyShape) {
  const auto row =
      row_from_json(R"({"new": {"tp": [1, {"tp": "x"}]}, "also": [[{}], "tp"], "tp": 2, "tokens": [], "margin": 1})");
  ASSERT_TRUE(row) << row.error().message;
  EXPECT_EQ(row->tp, 2);
  EXPECT_EQ(row->tokens, std::vector<std::int32_t>());
  EXPECT_EQ(row->margin, 1.0);
}

TEST(RowJson, OffersBothNamesOfTheCoreColumn) {
  const auto text = to_json(full_row());
  EXPECT_NE(text.find("\"tp\":4"), std::string::npos);
  EXPECT_NE(text.find("\"neuron_cores\":4"), std::string::npos);
  EXPECT_EQ(row_from_json(R"({"neuron_cores": 2})").value().tp, 2);
}

TEST(RowJson, NamesTheFieldOfTheWrongType) {
  for (const char* text : {R"({"tp": "4"})", R"({"tp": 4.5})", R"({"tp": 3000000000})", R"({"tp": true})",
                           R"({"tp": [4]})", R"({"tp": {}})"}) {
    const auto row = row_from_json(text);
    ASSERT_FALSE(row) << text;
    EXPECT_NE(row.error().message.find("'tp'"), std::string::npos);
  }
  EXPECT_NE(row_from_json(R"({"tokens": [1, [2]]})").error().message.find("'tokens'"), std::string::npos);
  for (const char* text : {"[]", "3", "[{}]", "{} {}", "{} x", ""}) EXPECT_FALSE(row_from_json(text)) << text;
  EXPECT_FALSE(row_from_json("{"));
}

TEST(RowJson, LeavesOutWhatIsNoNumber) {
  Row row;
  row.margin = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(to_json(row), "{}");
}

TEST(RowJson, RefusesANumberThatIsTooLarge) { EXPECT_FALSE(row_from_json(R"({"margin": 2e308})")); }

}  // namespace
}  // namespace willitrun
