#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "checkpoint/fault.h"

namespace willitrun {

/// A JSON object of a model's `config.json`: the whole, or one nested in it. Cheap to copy; never empty.
///
/// Every reader answers "nothing" for a field that is absent, null or of another kind: a config is written by many
/// hands, and what it does not say is asked of the library's defaults.
class ModelConfig {
 public:
  /// Reads `config.json`; `bad_config` when it is not a JSON object.
  static Checked<ModelConfig> parse(std::string_view text);

  bool has(std::string_view field) const;
  bool is_null(std::string_view field) const;
  std::optional<std::int64_t> integer(std::string_view field) const;
  std::optional<double> number(std::string_view field) const;
  std::optional<bool> flag(std::string_view field) const;
  std::optional<std::string> text(std::string_view field) const;
  std::optional<ModelConfig> object(std::string_view field) const;

  /// The strings of a list; empty when it is no list of strings.
  std::vector<std::string> texts(std::string_view field) const;

  /// The integers of a list; empty when it is no list of integers.
  std::vector<std::int64_t> integers(std::string_view field) const;

  /// The names of all fields.
  std::vector<std::string> fields() const;

 private:
  struct Object;
  explicit ModelConfig(std::shared_ptr<const Object> object) : object_(std::move(object)) {}

  std::shared_ptr<const Object> object_;
};

}  // namespace willitrun
