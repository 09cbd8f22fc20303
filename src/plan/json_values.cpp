#include "plan/json_values.h"

#include <boost/json.hpp>

namespace willitrun {

namespace json = boost::json;

const json::object& object_at(const json::object& object, std::string_view name) {
  static const json::object kNothing;
  const json::value* const found = object.if_contains(name);
  return found && found->is_object() ? found->get_object() : kNothing;
}

std::string text_of(const json::value& value) {
  return value.is_string() ? std::string(value.get_string()) : std::string();
}

std::string text_at(const json::object& object, std::string_view name) {
  const json::value* const found = object.if_contains(name);
  return found ? text_of(*found) : std::string();
}

bool flag_at(const json::object& object, std::string_view name) {
  const json::value* const found = object.if_contains(name);
  return found && found->is_bool() && found->get_bool();
}

std::vector<std::string> texts_of(const json::value* value) {
  std::vector<std::string> all;
  if (value && value->is_array())
    for (const json::value& entry : value->get_array()) all.push_back(text_of(entry));
  return all;
}

std::vector<std::string> texts_at(const json::object& object, std::string_view name) {
  return texts_of(object.if_contains(name));
}

double number_of(const json::value& value) {
  if (value.is_bool()) return value.get_bool() ? 1 : 0;
  return value.is_number() ? value.to_number<double>() : 0;
}

}  // namespace willitrun
