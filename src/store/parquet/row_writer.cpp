#include "store/parquet/row_writer.h"

#include <arrow/api.h>
#include <arrow/io/memory.h>
#include <fmt/format.h>
#include <parquet/arrow/writer.h>

#include "domain/row_columns.h"
#include "store/data_dictionary.h"
#include "store/parquet_codec.h"

namespace willitrun {
namespace {

/// Rows per row group: one group holds any real file, and a reader may skip groups of a very large one.
constexpr std::int64_t kRowsPerGroup = 1 << 16;

std::shared_ptr<arrow::DataType> arrow_type(ColumnType type) {
  switch (type) {
    case ColumnType::Bool: return arrow::boolean();
    case ColumnType::Int32: return arrow::int32();
    case ColumnType::Int64: return arrow::int64();
    case ColumnType::Double: return arrow::float64();
    case ColumnType::String: return arrow::utf8();
    case ColumnType::Timestamp: return arrow::timestamp(arrow::TimeUnit::MILLI, "UTC");
    case ColumnType::Int32List: return arrow::list(arrow::int32());
    case ColumnType::StringList: return arrow::list(arrow::utf8());
  }
  return arrow::null();
}

Error to_error(const arrow::Status& status) {
  const bool no_memory = status.IsOutOfMemory() || status.IsCapacityError();
  return Error{no_memory ? Code::ResourceExhausted : Code::Internal, "cannot write Parquet: " + status.ToString()};
}

/// Appends cells of one column to Arrow's builder for it.
template <class Value, class Builder>
struct Appender {
  Builder builder;

  arrow::Status append(const Value& value) { return builder.Append(value); }
};

template <>
struct Appender<Time, arrow::TimestampBuilder> {
  arrow::TimestampBuilder builder{arrow_type(ColumnType::Timestamp), arrow::default_memory_pool()};

  arrow::Status append(Time time) { return builder.Append(time.time_since_epoch().count()); }
};

template <class Item, class ItemBuilder>
struct Appender<std::vector<Item>, ItemBuilder> {
  std::shared_ptr<ItemBuilder> items = std::make_shared<ItemBuilder>();
  arrow::ListBuilder builder{arrow::default_memory_pool(), items};

  arrow::Status append(const std::vector<Item>& list) {
    ARROW_RETURN_NOT_OK(builder.Append());
    for (const Item& item : list) ARROW_RETURN_NOT_OK(items->Append(item));
    return arrow::Status::OK();
  }
};

template <class Value, class Builder>
arrow::Result<std::shared_ptr<arrow::Array>> build(const std::vector<Row>& rows, const RowColumn& column) {
  Appender<Value, Builder> appender;
  for (const Row& row : rows) {
    const Cell cell = column.get(row);
    const auto* value = std::get_if<Value>(&cell);
    ARROW_RETURN_NOT_OK(value == nullptr ? appender.builder.AppendNull() : appender.append(*value));
  }
  return appender.builder.Finish();
}

arrow::Result<std::shared_ptr<arrow::Array>> build_column(const std::vector<Row>& rows, const RowColumn& column) {
  switch (column.type) {
    case ColumnType::Bool: return build<bool, arrow::BooleanBuilder>(rows, column);
    case ColumnType::Int32: return build<std::int32_t, arrow::Int32Builder>(rows, column);
    case ColumnType::Int64: return build<std::int64_t, arrow::Int64Builder>(rows, column);
    case ColumnType::Double: return build<double, arrow::DoubleBuilder>(rows, column);
    case ColumnType::String: return build<std::string, arrow::StringBuilder>(rows, column);
    case ColumnType::Timestamp: return build<Time, arrow::TimestampBuilder>(rows, column);
    case ColumnType::Int32List: return build<std::vector<std::int32_t>, arrow::Int32Builder>(rows, column);
    case ColumnType::StringList: return build<std::vector<std::string>, arrow::StringBuilder>(rows, column);
  }
  return arrow::Status::Invalid("unknown column type");
}

/// The file's key-value metadata. It holds nothing that two exports of the same rows could differ in.
std::shared_ptr<arrow::KeyValueMetadata> metadata_of(DatasetKind kind) {
  return arrow::key_value_metadata(
      {std::string(kSchemaKey), std::string(kKindKey), std::string(kDictionaryKey)},
      {fmt::format("{}", kDatasetSchema), std::string(kind_name(kind)), data_dictionary_json()});
}

arrow::Result<std::shared_ptr<arrow::Table>> to_table(const std::vector<Row>& rows) {
  std::vector<std::shared_ptr<arrow::Field>> fields;
  std::vector<std::shared_ptr<arrow::Array>> arrays;
  for (const DatasetColumn& column : dataset_columns()) {
    fields.push_back(arrow::field(std::string(column.name), arrow_type(column.source->type)));
    ARROW_ASSIGN_OR_RAISE(auto array, build_column(rows, *column.source));
    arrays.push_back(std::move(array));
  }
  return arrow::Table::Make(arrow::schema(fields), arrays, static_cast<std::int64_t>(rows.size()));
}

arrow::Result<std::shared_ptr<arrow::Buffer>> to_parquet(const std::vector<Row>& rows, DatasetKind kind) {
  ARROW_ASSIGN_OR_RAISE(const auto table, to_table(rows));
  ARROW_ASSIGN_OR_RAISE(const auto sink, arrow::io::BufferOutputStream::Create());
  const auto properties = parquet::WriterProperties::Builder()
                              .compression(parquet::Compression::ZSTD)
                              ->version(parquet::ParquetVersion::PARQUET_2_6)
                              ->enable_page_checksum()
                              ->build();
  ARROW_ASSIGN_OR_RAISE(const auto writer, parquet::arrow::FileWriter::Open(
                                               *table->schema(), arrow::default_memory_pool(), sink, properties));
  ARROW_RETURN_NOT_OK(writer->AddKeyValueMetadata(metadata_of(kind)));
  ARROW_RETURN_NOT_OK(writer->WriteTable(*table, kRowsPerGroup));
  ARROW_RETURN_NOT_OK(writer->Close());
  return sink->Finish();
}

}  // namespace

Result<std::string> write_rows(const std::vector<Row>& rows, DatasetKind kind) {
  const auto buffer = to_parquet(rows, kind);
  if (!buffer.ok()) return fail(to_error(buffer.status()));
  return (*buffer)->ToString();
}

}  // namespace willitrun
