#include "plan/table_records.h"

#include <boost/json.hpp>

#include "plan/json_values.h"

namespace willitrun {

namespace json = boost::json;

namespace {

std::vector<std::pair<std::string, std::string>> pairs_at(const json::object& object, std::string_view name) {
  std::vector<std::pair<std::string, std::string>> all;
  for (const auto& entry : object_at(object, name)) all.emplace_back(entry.key(), text_of(entry.value()));
  return all;
}

std::map<std::string, std::string> map_at(const json::object& object, std::string_view name) {
  std::map<std::string, std::string> all;
  for (const auto& entry : object_at(object, name)) all.emplace(entry.key(), text_of(entry.value()));
  return all;
}

std::map<std::string, double> numbers_at(const json::object& object, std::string_view name) {
  std::map<std::string, double> all;
  for (const auto& entry : object_at(object, name)) all.emplace(entry.key(), number_of(entry.value()));
  return all;
}

Product product_of(const json::value& value) {
  Product product;
  if (!value.is_array()) return product;
  for (const json::value& entry : value.get_array()) {
    if (!entry.is_array() || entry.get_array().empty()) continue;
    const json::array& parts = entry.get_array();
    Factor factor;
    if (parts[0].is_string())
      factor.base = text_of(parts[0]);
    else
      factor.base = static_cast<std::int64_t>(number_of(parts[0]));
    for (std::size_t i = 1; i < parts.size(); ++i) factor.steps.push_back(text_of(parts[i]));
    product.push_back(std::move(factor));
  }
  return product;
}

Formula formula_of(const json::value& value) {
  Formula formula;
  if (value.is_array())
    for (const json::value& summand : value.get_array()) formula.push_back(product_of(summand));
  return formula;
}

std::map<std::string, Product> products_at(const json::object& object, std::string_view name) {
  std::map<std::string, Product> all;
  for (const auto& entry : object_at(object, name)) all.emplace(entry.key(), product_of(entry.value()));
  return all;
}

Slot slot_of(const json::object& object) {
  Slot slot{text_at(object, "at"), text_at(object, "class"), text_at(object, "type"), std::nullopt,
            flag_at(object, "plan")};
  if (const json::value* path = object.if_contains("config"); path && path->is_string()) slot.config = text_of(*path);
  return slot;
}

UnsavedBuffer buffer_of(std::string name, const json::object& object) {
  UnsavedBuffer buffer;
  buffer.name = std::move(name);
  buffer.dtype = text_at(object, "dtype");
  if (const json::value* elements = object.if_contains("elements")) buffer.elements = formula_of(*elements);
  buffer.with_layer_type = text_at(object, "with");
  const json::value* const each = object.if_contains("each");
  if (each && each->is_string()) buffer.in_every_layer = true;
  if (each && each->is_array()) buffer.in_layer_types = texts_of(each);
  if (each && each->is_number()) buffer.instances = static_cast<std::uint64_t>(number_of(*each));
  return buffer;
}

ConfigRecord config_of(const json::object& object) {
  ConfigRecord config;
  config.aliases = map_at(object, "alias");
  config.sub_types = map_at(object, "subs");
  config.open_subs = texts_at(object, "open_subs");
  config.renamed_subs = map_at(object, "renamed");
  config.optional_subs = texts_at(object, "optional_subs");
  for (const auto& entry : object_at(object, "sub_defaults"))
    config.sub_defaults.emplace(entry.key(), numbers_at(object_at(object, "sub_defaults"), entry.key()));
  config.defaults = numbers_at(object, "defaults");
  config.derived = products_at(object, "derived");
  config.nulls = products_at(object, "nulls");
  config.forced = products_at(object, "forced");
  config.rope_from = text_at(object, "rope_from");
  config.rope = numbers_at(object, "rope");
  const json::object& layers = object_at(object, "layers");
  const json::object& listed = object_at(layers, "listed");
  config.layers = {.start = texts_at(layers, "start"),
                   .cycle = texts_at(layers, "cycle"),
                   .without_window = texts_at(layers, "without_window"),
                   .interval_field = text_at(layers, "interval"),
                   .windowed_by = text_at(layers, "windowed"),
                   .listed_by = text_at(listed, "field"),
                   .listed = map_at(listed, "kinds"),
                   .renamed = {}};
  return config;
}

std::vector<CacheTensor> cache_of(const json::object& tensors) {
  std::vector<CacheTensor> all;
  for (const auto& entry : tensors) {
    if (!entry.value().is_object()) continue;
    const json::object& object = entry.value().get_object();
    CacheTensor tensor{std::string(entry.key()), text_at(object, "dtype"), {}};
    if (const json::value* dims = object.if_contains("dims"); dims && dims->is_array())
      for (const json::value& dim : dims->get_array())
        tensor.dimensions.push_back(dim.is_string() ? Formula{} : formula_of(dim));
    all.push_back(std::move(tensor));
  }
  return all;
}

}  // namespace

TypeRecord type_record(const json::object& object) {
  TypeRecord record{text_at(object, "causal"),
                    text_at(object, "image_text"),
                    text_at(object, "base"),
                    text_at(object, "unbuildable"),
                    config_of(object_at(object, "config")),
                    {},
                    false};
  const json::object& cache = object_at(object, "cache");
  record.knows_cache = !cache.empty();
  for (const auto& layer : object_at(cache, "layers"))
    if (layer.value().is_object()) record.cache.emplace(layer.key(), cache_of(layer.value().get_object()));
  return record;
}

ClassRecord class_record(const json::object& object) {
  ClassRecord record;
  record.base_prefix = text_at(object, "prefix");
  record.type = text_at(object, "type");
  record.params = pairs_at(object, "params");
  record.buffers = pairs_at(object, "buffers");
  record.ties = pairs_at(object, "ties");
  record.tp_plan = map_at(object, "tp");
  record.ep_plan = map_at(object, "ep");
  record.ignored = texts_at(object, "ignore");
  record.keep_fp32 = texts_at(object, "fp32");
  record.keep_fp32_strict = texts_at(object, "fp32_strict");
  record.layer_lists = texts_at(object, "layers");
  record.compiles = flag_at(object, "compiles");
  if (const json::value* slots = object.if_contains("slots"); slots && slots->is_array())
    for (const json::value& slot : slots->get_array())
      if (slot.is_object()) record.slots.push_back(slot_of(slot.get_object()));
  for (const auto& entry : object_at(object, "unsaved"))
    if (entry.value().is_object()) record.unsaved.push_back(buffer_of(entry.key(), entry.value().get_object()));
  return record;
}

Transform transform(const json::object& object) {
  Transform record{text_at(object, "kind"),     text_at(object, "pattern"),  {},
                   texts_at(object, "sources"), texts_at(object, "targets"), {}};
  if (const json::value* branches = object.if_contains("branches"); branches && branches->is_array())
    for (const json::value& branch : branches->get_array())
      if (branch.is_array() && branch.get_array().size() == 2)
        record.branches.emplace_back(static_cast<int>(number_of(branch.get_array()[0])),
                                     static_cast<int>(number_of(branch.get_array()[1])));
  if (const json::value* operations = object.if_contains("operations"); operations && operations->is_array())
    for (const json::value& entry : operations->get_array()) {
      if (!entry.is_array() || entry.get_array().empty()) continue;
      Transform::Operation operation{text_of(entry.get_array()[0]), {}};
      for (std::size_t i = 1; i < entry.get_array().size(); ++i)
        operation.arguments.push_back(static_cast<int>(number_of(entry.get_array()[i])));
      record.operations.push_back(std::move(operation));
    }
  return record;
}

}  // namespace willitrun
