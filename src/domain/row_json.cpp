#include "domain/row_json.h"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <boost/json/basic_parser_impl.hpp>
#include <charconv>
#include <cmath>
#include <variant>

#include "domain/row_columns.h"

namespace willitrun {
namespace {

namespace json = boost::json;

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};

/// A number as the document spells it.
struct NumberText {
  std::string_view text;
};

/// A value that is neither a list nor an object.
using Scalar = std::variant<std::monostate, bool, NumberText, std::string_view>;

/// Reads a number exactly; nothing when it does not fit. Boost.JSON's own conversion may be one unit in the last place
/// off.
template <class T>
std::optional<Cell> number_cell(const Scalar& scalar) {
  const auto* number = std::get_if<NumberText>(&scalar);
  if (number == nullptr) return std::nullopt;
  T value = {};
  const char* const end = number->text.data() + number->text.size();
  const auto [stop, error] = std::from_chars(number->text.data(), end, value);
  return error == std::errc() && stop == end ? std::optional<Cell>(value) : std::nullopt;
}

std::optional<Cell> text_cell(const Scalar& scalar) {
  const auto* text = std::get_if<std::string_view>(&scalar);
  return text == nullptr ? std::nullopt : std::optional<Cell>(std::string(*text));
}

std::optional<Cell> time_cell(const Scalar& scalar) {
  const auto* text = std::get_if<std::string_view>(&scalar);
  const auto time = text == nullptr ? std::nullopt : parse_time(*text);
  return time ? std::optional<Cell>(*time) : std::nullopt;
}

/// Makes the cell of a column, or an item of a list column; nothing when the value is of another type.
std::optional<Cell> to_cell(const Scalar& scalar, ColumnType type) {
  switch (type) {
    case ColumnType::Bool:
      return std::holds_alternative<bool>(scalar) ? std::optional<Cell>(std::get<bool>(scalar)) : std::nullopt;
    case ColumnType::Int32:
    case ColumnType::Int32List: return number_cell<std::int32_t>(scalar);
    case ColumnType::Int64: return number_cell<std::int64_t>(scalar);
    case ColumnType::Double: return number_cell<double>(scalar);
    case ColumnType::String:
    case ColumnType::StringList: return text_cell(scalar);
    case ColumnType::Timestamp: return time_cell(scalar);
  }
  return std::nullopt;
}

bool is_list(ColumnType type) { return type == ColumnType::Int32List || type == ColumnType::StringList; }

/// Fills a row while Boost.JSON's parser calls it back: no document in memory, and numbers are seen as they are spelt.
class RowReader {
 public:
  using ErrorCode = boost::system::error_code;
  using Text = json::string_view;

  static constexpr std::size_t max_object_size = SIZE_MAX, max_array_size = SIZE_MAX, max_key_size = SIZE_MAX,
                               max_string_size = SIZE_MAX;

  Row row;
  std::string problem;  ///< What is wrong with the document, when the parser was stopped.

  bool on_document_begin(ErrorCode&) { return true; }
  bool on_document_end(ErrorCode&) { return true; }

  bool on_object_begin(ErrorCode& error) { return ++depth_ == 1 || column_ == nullptr || wrong_type(error); }
  bool on_object_end(std::size_t, ErrorCode&) { return --depth_ >= 0; }

  bool on_array_begin(ErrorCode& error) {
    if (depth_ == 0) return stop("a row is not a JSON object", error);
    if (column_ != nullptr && (depth_ != 1 || !is_list(column_->type))) return wrong_type(error);
    if (column_ != nullptr) list_ = empty_list();
    return ++depth_ > 0;
  }
  bool on_array_end(std::size_t, ErrorCode&) {
    if (column_ != nullptr) column_->set(row, std::move(list_));
    return --depth_ >= 0;
  }

  bool on_key_part(Text part, std::size_t, ErrorCode&) { return collect(part); }
  bool on_key(Text part, std::size_t, ErrorCode&) {
    collect(part);
    if (depth_ == 1) column_ = find_row_column(text_);  // keys of inner objects belong to an unknown field
    text_.clear();
    return true;
  }

  bool on_string_part(Text part, std::size_t, ErrorCode&) { return collect(part); }
  bool on_string(Text part, std::size_t, ErrorCode& error) {
    collect(part);
    return take(std::string_view(text_), error);
  }

  bool on_number_part(Text part, ErrorCode&) { return collect(part); }
  bool on_int64(std::int64_t, Text part, ErrorCode& error) { return take_number(part, error); }
  bool on_uint64(std::uint64_t, Text part, ErrorCode& error) { return take_number(part, error); }
  bool on_double(double, Text part, ErrorCode& error) { return take_number(part, error); }

  bool on_bool(bool value, ErrorCode& error) { return take(value, error); }
  bool on_null(ErrorCode& error) { return take(std::monostate(), error); }
  bool on_comment_part(Text, ErrorCode&) { return true; }
  bool on_comment(Text, ErrorCode&) { return true; }

 private:
  bool collect(Text part) {
    text_.append(part.data(), part.size());
    return true;
  }

  bool take_number(Text part, ErrorCode& error) {
    collect(part);
    return take(NumberText{text_}, error);
  }

  bool take(const Scalar& scalar, ErrorCode& error) {
    if (depth_ == 0) return stop("a row is not a JSON object", error);
    const bool taken = column_ == nullptr || (depth_ == 1 ? set_field(scalar) : add_item(scalar));
    text_.clear();
    return taken || wrong_type(error);
  }

  bool set_field(const Scalar& scalar) {
    if (std::holds_alternative<std::monostate>(scalar)) {
      column_->set(row, Cell());
      return true;
    }
    auto cell = is_list(column_->type) ? std::nullopt : to_cell(scalar, column_->type);
    if (cell) column_->set(row, std::move(*cell));
    return cell.has_value();
  }

  bool add_item(const Scalar& scalar) {
    auto item = to_cell(scalar, column_->type);
    if (!item) return false;
    if (auto* numbers = std::get_if<std::vector<std::int32_t>>(&list_))
      numbers->push_back(std::get<std::int32_t>(*item));
    else
      std::get<std::vector<std::string>>(list_).push_back(std::get<std::string>(std::move(*item)));
    return true;
  }

  Cell empty_list() const {
    return column_->type == ColumnType::Int32List ? Cell(std::vector<std::int32_t>())
                                                  : Cell(std::vector<std::string>());
  }

  bool wrong_type(ErrorCode& error) {
    return stop(fmt::format("field '{}' of a row has a value of the wrong type", column_->name), error);
  }

  bool stop(std::string what, ErrorCode& error) {
    problem = std::move(what);
    error = json::error::syntax;
    return false;
  }

  int depth_ = 0;                      // 1 inside the row's object, 2 inside a list
  const RowColumn* column_ = nullptr;  // of the current field; null when nobody knows it
  std::string text_;                   // of the current key, text or number
  Cell list_;                          // items of the current list so far
};

}  // namespace

json::value to_json(const Cell& cell) {
  return std::visit(
      Overloaded{[](std::monostate) { return json::value(nullptr); },
                 [](Time time) { return json::value(to_text(time)); },
                 // JSON has no infinity; such a figure is no figure.
                 [](double number) { return std::isfinite(number) ? json::value(number) : json::value(nullptr); },
                 [](const auto& value) { return json::value_from(value); }},
      cell);
}

std::string to_json(const Row& row) {
  json::object object;
  for (const RowColumn& column : row_columns()) {
    json::value value = to_json(column.get(row));
    if (value.is_null()) continue;
    if (column.name == "tp") object.emplace("neuron_cores", value);
    object.emplace(column.name, std::move(value));
  }
  return json::serialize(object);
}

Result<Row> row_from_json(std::string_view text) {
  json::basic_parser<RowReader> parser{json::parse_options()};
  boost::system::error_code error;
  const std::size_t read = parser.write_some(false, text.data(), text.size(), error);
  RowReader& reader = parser.handler();
  if (!reader.problem.empty()) return fail(Code::Corruption, std::move(reader.problem));
  if (error || text.find_first_not_of(" \t\r\n", read) != std::string_view::npos)
    return fail(Code::Corruption, "a row is not a JSON object");
  return std::move(reader.row);
}

}  // namespace willitrun
