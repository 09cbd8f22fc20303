#include "domain/row_json.h"

#include <gtest/gtest.h>

#include <limits>

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

TEST(RowJson, OffersBothNamesOfTheCoreColumn) {
  const auto text = to_json(full_row());
  EXPECT_NE(text.find("\"tp\":4"), std::string::npos);
  EXPECT_NE(text.find("\"neuron_cores\":4"), std::string::npos);
  EXPECT_EQ(row_from_json(R"({"neuron_cores": 2})").value().tp, 2);
}

TEST(RowJson, NamesTheFieldOfTheWrongType) {
  for (const char* text : {R"({"tp": "4"})", R"({"tp": 4.5})", R"({"tp": 3000000000})", R"({"tp": true})"}) {
    const auto row = row_from_json(text);
    ASSERT_FALSE(row) << text;
    EXPECT_NE(row.error().message.find("'tp'"), std::string::npos);
  }
  EXPECT_FALSE(row_from_json("[]"));
  EXPECT_FALSE(row_from_json("{"));
}

TEST(RowJson, RefusesANumberThatIsTooLarge) { EXPECT_FALSE(row_from_json(R"({"margin": 2e308})")); }

TEST(RowJson, LeavesOutWhatIsNoNumber) {
  Row row;
  row.margin = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(to_json(row), "{}");
}

}  // namespace
}  // namespace willitrun
