#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "checkpoint/model_config.h"
#include "plan/plan_table.h"

namespace willitrun {

/// Reads a configuration the way its class would: aliases, null as absent, defaults, fields that follow from others.
class ConfigFields {
 public:
  ConfigFields(ModelConfig config, ConfigRecord record) : config_(std::move(config)), record_(std::move(record)) {}

  const ModelConfig& config() const { return config_; }
  const ConfigRecord& record() const { return record_; }

  /// The value of a field; nothing when neither the configuration nor its class has it.
  std::optional<std::int64_t> integer(std::string_view field) const;
  bool flag(std::string_view field) const;

  /// The share of a head that rotary embeddings turn, for a layer type ("" for all).
  double rope_factor(std::string_view layer_type) const;

  /// The value of a formula; nothing when it names a field that there is not.
  std::optional<std::uint64_t> evaluate(const Formula& formula) const;

  /// The kind of attention of each layer, as the cache sees it.
  std::vector<std::string> layer_types() const;

 private:
  /// The names under which config.json may hold a field: its own, its alias, and those that are an alias of it.
  std::vector<std::string> names_of(std::string_view field) const;
  std::optional<std::int64_t> integer(std::string_view field, int depth) const;
  std::size_t depth() const;
  /// The kinds of layers that an older list of numbers stands for; empty when there is no such list.
  std::vector<std::string> listed_kinds() const;
  /// The kinds of layers of a configuration that lists none.
  std::vector<std::string> usual_kinds() const;
  std::vector<std::string> cycle(std::int64_t window) const;
  std::optional<std::int64_t> evaluate(const Product& product, int depth) const;
  std::optional<std::int64_t> evaluate(const Factor& factor, int depth) const;

  ModelConfig config_;
  ConfigRecord record_;
};

}  // namespace willitrun
