#include "store/parquet/row_reader.h"

#include <arrow/api.h>
#include <arrow/io/memory.h>
#include <fmt/format.h>
#include <parquet/arrow/reader.h>
#include <parquet/file_reader.h>

#include <boost/json.hpp>
#include <numeric>
#include <set>

#include "base/text.h"
#include "store/data_dictionary.h"
#include "store/parquet/arrow_cells.h"
#include "store/parquet_codec.h"

namespace willitrun {
namespace {

std::unexpected<Error> broken(const std::string& name, std::string_view problem) {
  return fail(Code::Corruption, fmt::format("'{}' {}", name, problem));
}

/// Says early and in plain words what Arrow would say about offsets.
Status check_ends(std::string_view bytes, const std::string& name) {
  constexpr std::string_view kMagic = "PAR1";
  if (!bytes.starts_with(kMagic)) return broken(name, "is no Parquet file: it does not start with 'PAR1'");
  if (bytes.size() < 3 * kMagic.size() || !bytes.ends_with(kMagic))
    return broken(name, fmt::format("is cut: its end is missing after {} bytes", bytes.size()));
  return {};
}

Result<std::unique_ptr<parquet::arrow::FileReader>> open_reader(std::string_view bytes, const std::string& name) {
  parquet::ReaderProperties properties;
  properties.set_page_checksum_verification(true);
  parquet::arrow::FileReaderBuilder builder;
  const auto buffer = std::make_shared<arrow::Buffer>(bytes);  // refers to the bytes, which outlive the reader
  const auto opened = builder.Open(std::make_shared<arrow::io::BufferReader>(buffer), properties);
  if (!opened.ok()) return broken(name, "is damaged: " + opened.ToString());
  auto reader = builder.Build();
  if (!reader.ok()) return broken(name, "is damaged: " + reader.status().ToString());
  return std::move(*reader);
}

/// Reads version and kind from the key-value metadata; a file without them is not ours.
Status read_metadata(parquet::arrow::FileReader& reader, DatasetFile& file) {
  const auto metadata = reader.parquet_reader()->metadata()->key_value_metadata();
  if (metadata == nullptr || !metadata->Contains(std::string(kSchemaKey))) return {};
  const std::string text = metadata->Get(std::string(kSchemaKey)).ValueOr("");
  const auto schema = parse_uint(text);
  if (!schema || *schema == 0)
    return broken(file.path.string(), fmt::format("has the impossible format version '{}'", text));
  if (*schema > kDatasetSchema)
    return fail(Code::InvalidArgument,
                fmt::format("'{}' was written by a newer willitrun (format {}, this program knows {})",
                            file.path.string(), *schema, kDatasetSchema));
  file.schema = static_cast<int>(*schema);
  const std::string kind = metadata->Get(std::string(kKindKey)).ValueOr("");
  if (kind != kind_name(DatasetKind::Verdicts) && kind != kind_name(DatasetKind::Attempts))
    return broken(file.path.string(), fmt::format("has the unknown kind '{}'", kind));
  if (kind == kind_name(DatasetKind::Attempts)) file.kind = DatasetKind::Attempts;
  return {};
}

Status check_columns(const arrow::Schema& schema, DatasetFile& file) {
  std::set<std::string_view> seen;
  for (const auto& field : schema.fields()) {
    if (!seen.insert(field->name()).second)
      return broken(file.path.string(), fmt::format("has two columns '{}'", field->name()));
    file.columns.push_back(field->name());
    const RowColumn* column = find_row_column(field->name());
    if (column != nullptr && !fits(column->type, *field->type()))
      return broken(file.path.string(), fmt::format("has column '{}' of type {}, where {} is right", field->name(),
                                                    field->type()->ToString(), type_name(column->type)));
  }
  if (!seen.contains("model_id")) return broken(file.path.string(), "has no column 'model_id'");
  return {};
}

/// Calls `use` with each value of a column: its chunk, the index in it, and the row that it belongs to.
template <class Use>
Status for_each_value(const arrow::ChunkedArray& column, std::vector<Row>& rows, Use use) {
  std::size_t row = 0;
  for (const auto& chunk : column.chunks())
    for (std::int64_t i = 0; i < chunk->length(); ++i, ++row) RETURN_IF_ERROR(use(*chunk, i, rows[row]));
  return {};
}

Status fill_known(const arrow::ChunkedArray& values, const RowColumn& column, std::vector<Row>& rows) {
  return for_each_value(values, rows, [&](const arrow::Array& array, std::int64_t i, Row& row) -> Status {
    ASSIGN_OR_RETURN(Cell cell, cell_at(array, i, column.type));
    column.set(row, std::move(cell));
    return {};
  });
}

/// Adds a field to the JSON object that carries what we do not know.
void add_other(Row& row, std::string_view name, std::string_view json) {
  std::string field = fmt::format("{}:{}", boost::json::serialize(boost::json::string(name)), json);
  if (!row.other_columns || !row.other_columns->starts_with('{') || !row.other_columns->ends_with('}')) {
    // A foreign column happens to have our name for them and is no object: it becomes one of them.
    if (row.other_columns)
      field = fmt::format(R"("other_columns":{},{})", boost::json::serialize(boost::json::string(*row.other_columns)),
                          field);
    row.other_columns = fmt::format("{{{}}}", field);
    return;
  }
  row.other_columns->pop_back();
  *row.other_columns += fmt::format("{}{}}}", *row.other_columns == "{" ? "" : ",", field);
}

Status fill_unknown(const arrow::ChunkedArray& values, const std::string& name, std::vector<Row>& rows) {
  return for_each_value(values, rows, [&](const arrow::Array& array, std::int64_t i, Row& row) -> Status {
    if (!array.IsNull(i)) add_other(row, name, json_at(array, i));
    return {};
  });
}

/// `tp` and `neuron_cores` are one column under two names. Where both have values that differ, neither is lost.
Status fill_second_core_column(const arrow::ChunkedArray& values, std::vector<Row>& rows) {
  return for_each_value(values, rows, [&](const arrow::Array& array, std::int64_t i, Row& row) -> Status {
    ASSIGN_OR_RETURN(const Cell cell, cell_at(array, i, ColumnType::Int32));
    if (std::holds_alternative<std::monostate>(cell)) return {};
    const auto cores = std::get<std::int32_t>(cell);
    if (!row.tp) row.tp = cores;
    if (row.tp != cores) add_other(row, "neuron_cores", fmt::format("{}", cores));
    return {};
  });
}

Status fill_column(const arrow::Table& table, const std::string& name, bool known, std::vector<Row>& rows) {
  const RowColumn* column = find_row_column(name);
  if ((column != nullptr) != known) return {};
  const auto values = table.GetColumnByName(name);
  Status filled = column == nullptr      ? fill_unknown(*values, name, rows)
                  : name == column->name ? fill_known(*values, *column, rows)
                                         : fill_second_core_column(*values, rows);
  return filled ? filled : fail(with_context(filled.error(), fmt::format("column '{}'", name)));
}

/// Fills as many rows as the table has.
Result<std::vector<Row>> rows_of(const arrow::Table& table, const std::string& file) {
  const auto valid = table.ValidateFull();
  if (!valid.ok()) return broken(file, "is damaged: " + valid.ToString());
  std::vector<Row> rows(static_cast<std::size_t>(table.num_rows()));
  for (const bool known : {true, false})
    for (const std::string& name : table.ColumnNames()) {
      const auto filled = fill_column(table, name, known, rows);
      if (!filled) return broken(file, "has a bad value: " + filled.error().message);
    }
  return rows;
}

Status read_table(parquet::arrow::FileReader& reader, DatasetFile& file) {
  const auto table = reader.ReadTable();
  if (!table.ok()) return broken(file.path.string(), "is damaged: " + table.status().ToString());
  ASSIGN_OR_RETURN(file.rows, rows_of(**table, file.path.string()));
  return {};
}

/// Opens a file and reads everything but its rows.
struct OpenedFile {
  std::unique_ptr<parquet::arrow::FileReader> reader;
  DatasetFile facts;
};

Result<OpenedFile> open_file(std::string_view bytes, const std::string& name) {
  OpenedFile file;
  file.facts.path = name;
  RETURN_IF_ERROR(check_ends(bytes, name));
  ASSIGN_OR_RETURN(file.reader, open_reader(bytes, name));
  RETURN_IF_ERROR(read_metadata(*file.reader, file.facts));
  std::shared_ptr<arrow::Schema> schema;
  if (const auto status = file.reader->GetSchema(&schema); !status.ok())
    return broken(name, "is damaged: " + status.ToString());
  RETURN_IF_ERROR(check_columns(*schema, file.facts));
  return file;
}

/// Which of the file's columns a reader asks for, as Parquet counts them: by leaf, so that lists may have several.
std::vector<int> leaves_of(const parquet::arrow::FileReader& reader, const WantedColumns& wanted) {
  std::vector<int> leaves;
  const parquet::SchemaDescriptor& schema = *reader.parquet_reader()->metadata()->schema();
  for (int leaf = 0; leaf < schema.num_columns(); ++leaf) {
    const RowColumn* column = find_row_column(schema.GetColumnRoot(leaf)->name());
    if (column != nullptr && wanted(*column)) leaves.push_back(leaf);
  }
  return leaves;
}

std::vector<int> numbers_up_to(int count) {
  std::vector<int> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

}  // namespace

Result<DatasetFile> read_rows(std::string_view bytes, const std::string& name, bool with_rows) {
  ASSIGN_OR_RETURN(OpenedFile file, open_file(bytes, name));
  if (with_rows) RETURN_IF_ERROR(read_table(*file.reader, file.facts));
  return std::move(file.facts);
}

Status visit_verdict_rows(std::string_view bytes, const std::string& name, const WantedColumns& wanted,
                          const UseRows& use) {
  constexpr std::int64_t kRowsAtOnce = 4096;
  ASSIGN_OR_RETURN(const OpenedFile file, open_file(bytes, name));
  if (file.facts.kind != DatasetKind::Verdicts) return {};
  file.reader->set_batch_size(kRowsAtOnce);
  const auto batches =
      file.reader->GetRecordBatchReader(numbers_up_to(file.reader->num_row_groups()), leaves_of(*file.reader, wanted));
  if (!batches.ok()) return broken(name, "is damaged: " + batches.status().ToString());
  for (;;) {
    const auto batch = (*batches)->Next();
    if (!batch.ok()) return broken(name, "is damaged: " + batch.status().ToString());
    if (*batch == nullptr) return {};
    const auto table = arrow::Table::FromRecordBatches({*batch});
    if (!table.ok()) return broken(name, "is damaged: " + table.status().ToString());
    ASSIGN_OR_RETURN(std::vector<Row> rows, rows_of(**table, name));
    RETURN_IF_ERROR(use(rows));
  }
}

}  // namespace willitrun
