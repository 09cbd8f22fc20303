#include "store/sample_rows.h"

#include <limits>
#include <random>

#include "domain/row_columns.h"

namespace willitrun {
namespace {

using Random = std::mt19937_64;

std::string random_text(Random& random) {
  static const char* const kPieces[] = {"a", "Z", "\n", "\"", "\\", "\t", "é", "漢", "😀", " ", ",", "{}", "\x01", "0"};
  std::string text;
  for (auto length = random() % 12; length > 0; --length) text += kPieces[random() % std::size(kPieces)];
  return text;
}

/// A number with few or many digits, of either sign.
double random_double(Random& random) {
  const double fraction = std::uniform_real_distribution<double>(-1, 1)(random);
  return random() % 2 == 0 ? fraction : fraction * 1e300;
}

Time random_time(Random& random) {
  constexpr std::int64_t kYear2100Ms = 4'102'444'800'000;
  return Time(std::chrono::milliseconds(static_cast<std::int64_t>(random() % kYear2100Ms)));
}

Cell random_cell(ColumnType type, Random& random) {
  switch (type) {
    case ColumnType::Bool: return random() % 2 == 0;
    case ColumnType::Int32: return static_cast<std::int32_t>(random());
    case ColumnType::Int64: return static_cast<std::int64_t>(random());
    case ColumnType::Double: return random_double(random);
    case ColumnType::String: return random_text(random);
    case ColumnType::Timestamp: return random_time(random);
    case ColumnType::Int32List: {
      std::vector<std::int32_t> list(random() % 4);
      for (auto& item : list) item = static_cast<std::int32_t>(random());
      return list;
    }
    case ColumnType::StringList: {
      std::vector<std::string> list(random() % 4);
      for (auto& item : list) item = random_text(random);
      return list;
    }
  }
  return {};
}

Row row_of(std::uint64_t seed, bool every_column) {
  Random random(seed);
  Row row;
  for (const RowColumn& column : row_columns())
    if (every_column || random() % 3 != 0) column.set(row, random_cell(column.type, random));
  row.model_id = "owner/model-" + std::to_string(seed % 100);
  if (row.other_columns) row.other_columns = R"({"extra":1})";
  return row;
}

}  // namespace

Row row_with_every_column() {
  Row row = row_of(1, true);
  row.tp = std::numeric_limits<std::int32_t>::min();
  row.peak_bytes_per_core = std::numeric_limits<std::int64_t>::max();
  row.error = "";
  row.notes = "a \"quoted\"\nline 😀";
  row.tokens = std::vector<std::int32_t>{};
  row.fallback_ops = std::vector<std::string>{"", "aten::sort"};
  return row;
}

Row random_row(std::uint64_t seed) { return row_of(seed, false); }

}  // namespace willitrun
