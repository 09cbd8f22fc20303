#include "store/parquet/arrow_cells.h"

#include <arrow/api.h>
#include <fmt/format.h>

#include <boost/json.hpp>

#include "base/text.h"

namespace willitrun {
namespace {

using arrow::Type;

bool is_text(const arrow::DataType& type) {
  switch (type.id()) {
    case Type::STRING:
    case Type::LARGE_STRING:
    case Type::STRING_VIEW: return true;
    case Type::DICTIONARY: return is_text(*static_cast<const arrow::DictionaryType&>(type).value_type());
    default: return false;
  }
}

bool is_list(const arrow::DataType& type) { return type.id() == Type::LIST || type.id() == Type::LARGE_LIST; }

const arrow::DataType& item_type(const arrow::DataType& list) { return *list.field(0)->type(); }

bool is_utc(const arrow::DataType& type) {
  if (type.id() != Type::TIMESTAMP) return false;
  const std::string& zone = static_cast<const arrow::TimestampType&>(type).timezone();
  return zone == "UTC" || zone == "Etc/UTC" || zone == "+00:00" || zone == "GMT";
}

std::string text_at(const arrow::Array& array, std::int64_t index) {
  switch (array.type_id()) {
    case Type::LARGE_STRING: return static_cast<const arrow::LargeStringArray&>(array).GetString(index);
    case Type::STRING_VIEW: return std::string(static_cast<const arrow::StringViewArray&>(array).GetView(index));
    case Type::DICTIONARY: {
      const auto& dictionary = static_cast<const arrow::DictionaryArray&>(array);
      return text_at(*dictionary.dictionary(), dictionary.GetValueIndex(index));
    }
    default: return static_cast<const arrow::StringArray&>(array).GetString(index);
  }
}

Result<Cell> time_at(const arrow::Array& array, std::int64_t index) {
  const std::int64_t value = static_cast<const arrow::TimestampArray&>(array).Value(index);
  const auto unit = static_cast<const arrow::TimestampType&>(*array.type()).unit();
  std::int64_t ms = value;
  std::int64_t per_ms = 1;
  if (unit == arrow::TimeUnit::SECOND && __builtin_mul_overflow(value, 1000, &ms))
    return fail(Code::InvalidArgument, "a time is out of range");
  if (unit == arrow::TimeUnit::MICRO) per_ms = 1'000;
  if (unit == arrow::TimeUnit::NANO) per_ms = 1'000'000;
  if (ms % per_ms != 0) return fail(Code::InvalidArgument, "a time is finer than milliseconds");
  return Cell(Time(std::chrono::milliseconds(ms / per_ms)));
}

/// The items of a list: where they lie, and their array.
struct ListItems {
  const arrow::Array& values;
  std::int64_t begin;
  std::int64_t end;
};

template <class ListArray>
ListItems items_of(const ListArray& list, std::int64_t index) {
  return {*list.values(), list.value_offset(index), list.value_offset(index) + list.value_length(index)};
}

ListItems items_at(const arrow::Array& array, std::int64_t index) {
  if (array.type_id() == Type::LARGE_LIST) return items_of(static_cast<const arrow::LargeListArray&>(array), index);
  return items_of(static_cast<const arrow::ListArray&>(array), index);
}

Result<Cell> list_at(const arrow::Array& array, std::int64_t index, ColumnType type) {
  const ListItems items = items_at(array, index);
  std::vector<std::int32_t> numbers;
  std::vector<std::string> texts;
  for (std::int64_t i = items.begin; i < items.end; ++i) {
    if (items.values.IsNull(i)) return fail(Code::InvalidArgument, "a list holds a null");
    if (type == ColumnType::Int32List)
      numbers.push_back(static_cast<const arrow::Int32Array&>(items.values).Value(i));
    else
      texts.push_back(text_at(items.values, i));
  }
  return type == ColumnType::Int32List ? Cell(std::move(numbers)) : Cell(std::move(texts));
}

std::string quoted(std::string_view text) { return boost::json::serialize(boost::json::string(to_valid_utf8(text))); }

std::string list_as_json(const arrow::Array& array, std::int64_t index) {
  const ListItems items = items_at(array, index);
  std::vector<std::string> texts;
  for (std::int64_t i = items.begin; i < items.end; ++i) texts.push_back(json_at(items.values, i));
  return fmt::format("[{}]", fmt::join(texts, ","));
}

std::string struct_as_json(const arrow::StructArray& array, std::int64_t index) {
  std::vector<std::string> fields;
  for (int i = 0; i < array.num_fields(); ++i)
    fields.push_back(fmt::format("{}:{}", quoted(array.type()->field(i)->name()), json_at(*array.field(i), index)));
  return fmt::format("{{{}}}", fmt::join(fields, ","));
}

/// Arrow's spelling of a value.
std::string spelt(const arrow::Array& array, std::int64_t index) {
  const auto scalar = array.GetScalar(index);
  return scalar.ok() ? (*scalar)->ToString() : scalar.status().ToString();
}

}  // namespace

bool fits(ColumnType type, const arrow::DataType& arrow_type) {
  if (arrow_type.id() == Type::NA) return true;
  switch (type) {
    case ColumnType::Bool: return arrow_type.id() == Type::BOOL;
    case ColumnType::Int32: return arrow_type.id() == Type::INT32;
    case ColumnType::Int64: return arrow_type.id() == Type::INT64;
    case ColumnType::Double: return arrow_type.id() == Type::DOUBLE;
    case ColumnType::String: return is_text(arrow_type);
    case ColumnType::Timestamp: return is_utc(arrow_type);
    case ColumnType::Int32List: return is_list(arrow_type) && item_type(arrow_type).id() == Type::INT32;
    case ColumnType::StringList: return is_list(arrow_type) && is_text(item_type(arrow_type));
  }
  return false;
}

Result<Cell> cell_at(const arrow::Array& array, std::int64_t index, ColumnType type) {
  if (array.IsNull(index)) return Cell();
  switch (type) {
    case ColumnType::Bool: return Cell(static_cast<const arrow::BooleanArray&>(array).Value(index));
    case ColumnType::Int32: return Cell(static_cast<const arrow::Int32Array&>(array).Value(index));
    case ColumnType::Int64: return Cell(static_cast<const arrow::Int64Array&>(array).Value(index));
    case ColumnType::Double: return Cell(static_cast<const arrow::DoubleArray&>(array).Value(index));
    case ColumnType::String: return Cell(text_at(array, index));
    case ColumnType::Timestamp: return time_at(array, index);
    case ColumnType::Int32List:
    case ColumnType::StringList: return list_at(array, index, type);
  }
  return Cell();
}

std::string json_at(const arrow::Array& array, std::int64_t index) {
  if (array.IsNull(index)) return "null";
  const arrow::DataType& type = *array.type();
  if (is_text(type)) return quoted(text_at(array, index));
  if (is_list(type)) return list_as_json(array, index);
  if (type.id() == Type::STRUCT) return struct_as_json(static_cast<const arrow::StructArray&>(array), index);
  std::string text = spelt(array, index);
  if (type.id() == Type::BOOL || arrow::is_integer(type.id())) return text;
  if (arrow::is_floating(type.id()) && text.find_first_not_of("-+.0123456789eE") == std::string::npos) return text;
  return quoted(text);
}

}  // namespace willitrun
