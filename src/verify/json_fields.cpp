#include "verify/json_fields.h"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <limits>
#include <type_traits>

namespace willitrun {
namespace {

namespace json = boost::json;

const json::value kNull;

/// Counts and token ids: whole numbers of an int that are not negative.
std::optional<std::int32_t> to_count(const json::value& value) {
  boost::system::error_code error;
  const auto number = value.to_number<std::int32_t>(error);
  if (error || number < 0 || value.is_double()) return std::nullopt;
  return number;
}

}  // namespace

bool JsonFields::has(std::string_view name) const { return object_.contains(name); }

void JsonFields::note(std::string_view name, std::string_view problem) {
  if (!problem_) problem_ = fmt::format("field '{}' {}", name, problem);
}

Status JsonFields::status() const {
  if (problem_) return fail(Code::Corruption, *problem_);
  return {};
}

const json::value& JsonFields::value(std::string_view name) {
  if (const json::value* found = object_.if_contains(name)) return *found;
  note(name, "is missing");
  return kNull;
}

std::string JsonFields::text(std::string_view name) {
  const json::value& field = value(name);
  if (!field.is_string()) return note(name, "is not a text"), std::string();
  return std::string(field.get_string());
}

bool JsonFields::boolean(std::string_view name) {
  const json::value& field = value(name);
  if (!field.is_bool()) return note(name, "is not true or false"), false;
  return field.get_bool();
}

std::int64_t JsonFields::integer(std::string_view name) {
  const json::value& field = value(name);
  boost::system::error_code error;
  const auto number = field.to_number<std::int64_t>(error);
  if (error || field.is_double()) return note(name, "is not a whole number"), 0;
  return number;
}

double JsonFields::number(std::string_view name) {
  const json::value& field = value(name);
  if (!field.is_number()) return note(name, "is not a number"), 0;
  return field.to_number<double>();
}

int JsonFields::count(std::string_view name) {
  const auto number = to_count(value(name));
  if (!number) return note(name, "is not a count"), 0;
  return *number;
}

std::optional<std::string> JsonFields::optional_text(std::string_view name) {
  if (value(name).is_null()) return std::nullopt;
  return text(name);
}

std::optional<std::int64_t> JsonFields::optional_integer(std::string_view name) {
  if (value(name).is_null()) return std::nullopt;
  return integer(name);
}

std::optional<double> JsonFields::optional_number(std::string_view name) {
  if (value(name).is_null()) return std::nullopt;
  return number(name);
}

std::optional<int> JsonFields::optional_count(std::string_view name) {
  if (value(name).is_null()) return std::nullopt;
  return count(name);
}

std::vector<std::int32_t> JsonFields::tokens(std::string_view name) {
  const json::value& field = value(name);
  if (!field.is_array()) return note(name, "is not a list"), std::vector<std::int32_t>();
  std::vector<std::int32_t> list;
  for (const json::value& item : field.get_array()) {
    const auto token = to_count(item);
    if (!token) return note(name, "holds something that is not a token id"), std::vector<std::int32_t>();
    list.push_back(*token);
  }
  return list;
}

std::optional<std::vector<std::string>> JsonFields::optional_texts(std::string_view name) {
  const json::value& field = value(name);
  if (field.is_null()) return std::nullopt;
  if (!field.is_array()) return note(name, "is not a list"), std::nullopt;
  std::vector<std::string> list;
  for (const json::value& item : field.get_array()) {
    if (!item.is_string()) return note(name, "holds something that is not a text"), std::nullopt;
    list.emplace_back(item.get_string());
  }
  return list;
}

std::map<std::string, std::string> JsonFields::text_map(std::string_view name) {
  std::map<std::string, std::string> map;
  const json::value& field = value(name);
  if (!field.is_object()) return note(name, "is not an object"), map;
  for (const auto& [key, item] : field.get_object()) {
    if (item.is_null()) continue;
    if (!item.is_string()) return note(name, "holds something that is not a text"), map;
    map.emplace(key, item.get_string());
  }
  return map;
}

}  // namespace willitrun
