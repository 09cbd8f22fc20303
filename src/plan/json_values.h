#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace boost::json {
class object;
class value;
}  // namespace boost::json

// Reading JSON where what is absent, or of another kind, counts as empty.
namespace willitrun {

/// The object under `name`; an empty one when there is none.
const boost::json::object& object_at(const boost::json::object& object, std::string_view name);

/// A text; empty when the value is none.
std::string text_of(const boost::json::value& value);
std::string text_at(const boost::json::object& object, std::string_view name);

bool flag_at(const boost::json::object& object, std::string_view name);

/// A number, or 1 and 0 for true and false; 0 when the value is none.
double number_of(const boost::json::value& value);

/// The entries of a list, as texts; empty when the value is no list.
std::vector<std::string> texts_of(const boost::json::value* value);
std::vector<std::string> texts_at(const boost::json::object& object, std::string_view name);

}  // namespace willitrun
