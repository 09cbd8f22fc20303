#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace boost::json {
class object;
class value;
}  // namespace boost::json

namespace willitrun {

/// Reads the fields of a JSON object strictly: a missing field or one of the wrong type is remembered as the first
/// problem and reads as an empty value, so that a whole object is read before `status` is asked once.
///
/// `optional_` forms take null, never a missing field, for nothing. The object must outlive this.
class JsonFields {
 public:
  explicit JsonFields(const boost::json::object& object) : object_(object) {}

  std::string text(std::string_view name);
  bool boolean(std::string_view name);
  std::int64_t integer(std::string_view name);
  double number(std::string_view name);
  std::optional<std::string> optional_text(std::string_view name);
  std::optional<std::int64_t> optional_integer(std::string_view name);
  std::optional<double> optional_number(std::string_view name);

  /// An int that must lie in [0, 2^31).
  int count(std::string_view name);
  std::optional<int> optional_count(std::string_view name);

  std::vector<std::int32_t> tokens(std::string_view name);
  std::optional<std::vector<std::string>> optional_texts(std::string_view name);
  /// A map of texts; names whose value is null are left out.
  std::map<std::string, std::string> text_map(std::string_view name);

  /// The field itself, or null after noting that it is missing.
  const boost::json::value& value(std::string_view name);

  /// Tells whether the field is there at all.
  bool has(std::string_view name) const;

  /// Notes a problem of a field that the caller found.
  void note(std::string_view name, std::string_view problem);

  /// Corruption naming the first problem, or ok.
  Status status() const;

 private:
  const boost::json::object& object_;
  std::optional<std::string> problem_;
};

}  // namespace willitrun
