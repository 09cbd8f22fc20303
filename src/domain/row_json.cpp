#include "domain/row_json.h"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <cmath>

#include "domain/row_columns.h"

namespace willitrun {
namespace {

namespace json = boost::json;

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};

json::value to_value(const Cell& cell) {
  return std::visit(
      Overloaded{[](std::monostate) { return json::value(nullptr); },
                 [](Time time) { return json::value(to_text(time)); },
                 // JSON has no infinity; such a figure is no figure.
                 [](double number) { return std::isfinite(number) ? json::value(number) : json::value(nullptr); },
                 [](const auto& value) { return json::value_from(value); }},
      cell);
}

template <class T>
std::optional<Cell> to_number(const json::value& value) {
  boost::system::error_code error;
  const T number = value.to_number<T>(error);
  if (error) return std::nullopt;
  return Cell(number);
}

template <class T, class Convert>
std::optional<Cell> to_list(const json::value& value, Convert convert) {
  if (!value.is_array()) return std::nullopt;
  std::vector<T> list;
  for (const auto& item : value.get_array()) {
    auto converted = convert(item);
    if (!converted) return std::nullopt;
    list.push_back(std::get<T>(std::move(*converted)));
  }
  return Cell(std::move(list));
}

/// A number too large for a double reads as infinity, which could not be written again.
std::optional<Cell> to_finite(const json::value& value) {
  auto number = to_number<double>(value);
  return number && std::isfinite(std::get<double>(*number)) ? number : std::nullopt;
}

std::optional<Cell> to_string(const json::value& value) {
  if (!value.is_string()) return std::nullopt;
  return Cell(std::string(value.get_string()));
}

std::optional<Cell> to_time(const json::value& value) {
  if (!value.is_string()) return std::nullopt;
  const auto time = parse_time(value.get_string());
  return time ? std::optional<Cell>(*time) : std::nullopt;
}

std::optional<Cell> to_cell(const json::value& value, ColumnType type) {
  if (value.is_null()) return Cell();
  switch (type) {
    case ColumnType::Bool: return value.is_bool() ? std::optional<Cell>(value.get_bool()) : std::nullopt;
    case ColumnType::Int32: return to_number<std::int32_t>(value);
    case ColumnType::Int64: return to_number<std::int64_t>(value);
    case ColumnType::Double: return to_finite(value);
    case ColumnType::String: return to_string(value);
    case ColumnType::Timestamp: return to_time(value);
    case ColumnType::Int32List: return to_list<std::int32_t>(value, to_number<std::int32_t>);
    case ColumnType::StringList: return to_list<std::string>(value, to_string);
  }
  return std::nullopt;
}

}  // namespace

std::string to_json(const Row& row) {
  json::object object;
  for (const RowColumn& column : row_columns()) {
    json::value value = to_value(column.get(row));
    if (value.is_null()) continue;
    if (column.name == "tp") object.emplace("neuron_cores", value);
    object.emplace(column.name, std::move(value));
  }
  return json::serialize(object);
}

Result<Row> row_from_json(std::string_view text) {
  boost::system::error_code error;
  const json::value document = json::parse(text, error);
  if (error || !document.is_object()) return fail(Code::Corruption, "a row is not a JSON object");
  Row row;
  for (const auto& [name, value] : document.get_object()) {
    const RowColumn* column = find_row_column(name);
    if (column == nullptr) continue;
    auto cell = to_cell(value, column->type);
    if (!cell)
      return fail(Code::Corruption,
                  fmt::format("field '{}' of a row has a value of the wrong type", std::string_view(name)));
    column->set(row, std::move(*cell));
  }
  return row;
}

}  // namespace willitrun
