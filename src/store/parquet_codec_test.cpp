#include "store/parquet_codec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <random>

#include "domain/row_columns.h"
#include "store/sample_rows.h"

namespace willitrun {
namespace {

using testing::HasSubstr;

const ParquetCodec& codec() {
  const auto found = parquet_codec();
  EXPECT_TRUE(found) << found.error().message;
  return **found;
}

std::string encoded(const std::vector<Row>& rows, DatasetKind kind = DatasetKind::Verdicts) {
  const auto bytes = codec().encode(rows, kind);
  EXPECT_TRUE(bytes) << bytes.error().message;
  return *bytes;
}

TEST(ParquetCodec, EveryColumnSurvives) {
  std::vector<Row> rows = {Row{.model_id = "a/b"}, row_with_every_column()};
  for (std::uint64_t seed = 0; seed < 300; ++seed) rows.push_back(random_row(seed));
  const auto file = codec().decode(encoded(rows), "x.parquet");
  ASSERT_TRUE(file) << file.error().message;
  ASSERT_EQ(file->rows.size(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(file->rows[i], rows[i]) << i;
  EXPECT_EQ(file->schema, kDatasetSchema);
  EXPECT_EQ(file->kind, DatasetKind::Verdicts);
}

TEST(ParquetCodec, PublicColumnsComeFirstInTheirOrder) {
  const auto file = codec().describe(encoded({row_with_every_column()}), "x.parquet").value();
  ASSERT_GT(file.columns.size(), 25U);
  EXPECT_EQ(file.columns[0], "model_id");
  EXPECT_EQ(file.columns[2], "tp");
  EXPECT_EQ(file.columns[7], "exclusion");
  EXPECT_EQ(file.columns[22], "tested_at");
  EXPECT_EQ(file.columns[23], "run_py");
  EXPECT_EQ(file.columns[24], "neuron_cores");
  EXPECT_EQ(file.columns.size(), row_columns().size() + 1);
  EXPECT_TRUE(file.rows.empty());
}

TEST(ParquetCodec, EqualRowsGiveEqualBytes) {
  std::vector<Row> rows;
  for (std::uint64_t seed = 0; seed < 50; ++seed) rows.push_back(random_row(seed));
  EXPECT_TRUE(encoded(rows) == encoded(rows));
  EXPECT_FALSE(encoded(rows) == encoded(rows, DatasetKind::Attempts)) << "the kind is in the file";
}

TEST(ParquetCodec, NoRowsAreAFileToo) {
  const auto file = codec().decode(encoded({}, DatasetKind::Attempts), "x.parquet").value();
  EXPECT_TRUE(file.rows.empty());
  EXPECT_EQ(file.kind, DatasetKind::Attempts);
}

TEST(ParquetCodec, FileThatIsCutAnywhereIsAnError) {
  const std::string whole = encoded({row_with_every_column(), Row{.model_id = "a/b"}});
  std::vector<std::size_t> lengths = {0, 1, 3, 4, 7, 8, 11, 12, whole.size() - 1};
  std::mt19937_64 random(7);
  for (int i = 0; i < 200; ++i) lengths.push_back(random() % whole.size());
  for (const std::size_t length : lengths) {
    const auto file = codec().decode(std::string_view(whole).substr(0, length), "x.parquet");
    ASSERT_FALSE(file) << length;
    EXPECT_EQ(file.error().code, Code::Corruption);
    EXPECT_THAT(file.error().message, HasSubstr("'x.parquet'"));
  }
  EXPECT_THAT(codec().decode(std::string_view(whole).substr(0, 100), "x").error().message,
              HasSubstr("is cut: its end is missing after 100 bytes"));
  EXPECT_THAT(codec().decode("a,b\n1,2\n", "x").error().message, HasSubstr("is no Parquet file"));
}

/// Goes through a file's verdicts and joins what came.
Result<std::vector<Row>> visited(std::string_view bytes, const WantedColumns& wanted) {
  std::vector<Row> all;
  RETURN_IF_ERROR(codec().visit_verdicts(bytes, "x.parquet", wanted, [&](std::vector<Row>& rows) -> Status {
    std::ranges::move(rows, std::back_inserter(all));
    return {};
  }));
  return all;
}

TEST(ParquetCodec, VisitingGivesTheSameRowsPieceByPiece) {
  std::vector<Row> rows;
  for (std::uint64_t seed = 0; seed < 5000; ++seed) rows.push_back(Row{.model_id = "a/b" + std::to_string(seed)});
  rows.push_back(row_with_every_column());
  const std::string bytes = encoded(rows);
  EXPECT_EQ(visited(bytes, [](const RowColumn&) { return true; }).value(), rows);
  EXPECT_TRUE(visited(encoded(rows, DatasetKind::Attempts), [](const RowColumn&) { return true; }).value().empty());
}

TEST(ParquetCodec, VisitingFillsOnlyTheColumnsThatAreAskedFor) {
  const Row whole = row_with_every_column();
  const auto rows = visited(encoded({whole}), [](const RowColumn& column) {
    return column.name == "model_id" || column.name == "tp" || column.name == "tokens";
  });
  Row expected;
  expected.model_id = whole.model_id;
  expected.tp = whole.tp;
  expected.tokens = whole.tokens;
  EXPECT_THAT(rows.value(), testing::ElementsAre(expected));
}

TEST(ParquetCodec, VisitingAFileThatIsCutIsAnError) {
  const std::string whole = encoded({row_with_every_column()});
  for (std::size_t length = 0; length < whole.size(); length += 101)
    ASSERT_FALSE(visited(std::string_view(whole).substr(0, length), [](const RowColumn&) { return true; })) << length;
}

/// A changed bit gives an error or the same rows (in bytes that carry nothing), never other rows.
TEST(ParquetCodec, ChangedBitsNeverChangeRows) {
  std::vector<Row> rows;
  for (std::uint64_t seed = 0; seed < 5; ++seed) rows.push_back(random_row(seed));
  const std::string whole = encoded(rows);
  const auto footer_length =
      static_cast<unsigned char>(whole[whole.size() - 8]) + 256U * static_cast<unsigned char>(whole[whole.size() - 7]);
  const std::size_t data_end = whole.size() - 8 - footer_length;
  std::mt19937_64 random(11);
  int num_refused = 0;
  for (int i = 0; i < 400; ++i) {
    std::string changed = whole;
    const std::size_t byte = 4 + random() % (data_end - 4);
    changed[byte] = static_cast<char>(changed[byte] ^ (1 << (random() % 8)));
    const auto file = codec().decode(changed, "x.parquet");
    if (file) {
      EXPECT_EQ(file->rows, rows) << byte;
    } else {
      ++num_refused;
    }
  }
  EXPECT_GT(num_refused, 200) << "hardly any change met bytes that matter";
}

}  // namespace
}  // namespace willitrun
