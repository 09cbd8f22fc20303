#include "checkpoint/model_config.h"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <cmath>

namespace willitrun {

namespace json = boost::json;

/// The document and the object in it that one ModelConfig shows.
struct ModelConfig::Object {
  std::shared_ptr<const json::value> document;
  const json::object* object;

  const json::value* find(std::string_view field) const { return object->if_contains(field); }
};

namespace {

constexpr std::size_t kMaxDepth = 64;

std::optional<std::int64_t> integer_of(const json::value& value) {
  if (value.is_int64()) return value.get_int64();
  if (value.is_double() && std::abs(value.get_double()) < 9e15 && value.get_double() == std::floor(value.get_double()))
    return static_cast<std::int64_t>(value.get_double());
  return std::nullopt;
}

/// Python writes Infinity and NaN where JSON has none; a config that holds them is still read, as null.
std::string without_python_numbers(std::string_view text) {
  std::string out(text);
  for (const std::string_view word : {"-Infinity", "Infinity", "NaN"})
    for (std::size_t at = 0; (at = out.find(word, at)) != std::string::npos; at += 4)
      if (at > 0 && std::string_view(" :,[\n\t").find(out[at - 1]) != std::string_view::npos)
        out.replace(at, word.size(), "null");
  return out;
}

}  // namespace

Checked<ModelConfig> ModelConfig::parse(std::string_view text) {
  json::parse_options options;
  options.max_depth = kMaxDepth;
  boost::system::error_code error;
  json::value value = json::parse(text, error, {}, options);
  if (error) {
    error.clear();
    value = json::parse(without_python_numbers(text), error, {}, options);
  }
  if (error) return fault(PlanCode::BadConfig, fmt::format("config.json is not JSON: {}", error.message()));
  if (!value.is_object()) return fault(PlanCode::BadConfig, "config.json is not a JSON object");
  auto document = std::make_shared<const json::value>(std::move(value));
  const json::object* const top = &document->get_object();
  return ModelConfig(std::make_shared<const Object>(Object{std::move(document), top}));
}

bool ModelConfig::has(std::string_view field) const { return object_->find(field) != nullptr; }

bool ModelConfig::is_null(std::string_view field) const {
  const json::value* const value = object_->find(field);
  return value && value->is_null();
}

std::optional<std::int64_t> ModelConfig::integer(std::string_view field) const {
  const json::value* const value = object_->find(field);
  return value ? integer_of(*value) : std::nullopt;
}

std::optional<double> ModelConfig::number(std::string_view field) const {
  const json::value* const value = object_->find(field);
  if (!value || !value->is_number()) return std::nullopt;
  return value->to_number<double>();
}

std::optional<bool> ModelConfig::flag(std::string_view field) const {
  const json::value* const value = object_->find(field);
  return value && value->is_bool() ? std::optional(value->get_bool()) : std::nullopt;
}

std::optional<std::string> ModelConfig::text(std::string_view field) const {
  const json::value* const value = object_->find(field);
  return value && value->is_string() ? std::optional(std::string(value->get_string())) : std::nullopt;
}

std::optional<ModelConfig> ModelConfig::object(std::string_view field) const {
  const json::value* const value = object_->find(field);
  if (!value || !value->is_object()) return std::nullopt;
  return ModelConfig(std::make_shared<const Object>(Object{object_->document, &value->get_object()}));
}

std::vector<std::string> ModelConfig::texts(std::string_view field) const {
  std::vector<std::string> all;
  const json::value* const value = object_->find(field);
  if (!value || !value->is_array()) return all;
  for (const json::value& entry : value->get_array()) {
    if (!entry.is_string()) return {};
    all.emplace_back(entry.get_string());
  }
  return all;
}

std::vector<std::int64_t> ModelConfig::integers(std::string_view field) const {
  std::vector<std::int64_t> all;
  const json::value* const value = object_->find(field);
  if (!value || !value->is_array()) return all;
  for (const json::value& entry : value->get_array()) {
    const auto number = integer_of(entry);
    if (!number) return {};
    all.push_back(*number);
  }
  return all;
}

std::vector<std::string> ModelConfig::fields() const {
  std::vector<std::string> all;
  for (const auto& entry : *object_->object) all.emplace_back(entry.key());
  return all;
}

}  // namespace willitrun
