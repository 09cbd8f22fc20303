// The table is a large JSON document of which one plan needs a few records: the document is parsed once, records are
// made when they are asked for.
#include "plan/plan_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>

namespace willitrun {

namespace json = boost::json;

struct PlanTable::Document {
  json::monotonic_resource memory;
  json::value value;
  std::string version;

  const json::object* find(std::string_view section, std::string_view name) const {
    const json::value* const part = value.get_object().if_contains(section);
    const json::value* const found = part && part->is_object() ? part->get_object().if_contains(name) : nullptr;
    return found && found->is_object() ? &found->get_object() : nullptr;
  }
};

namespace {

constexpr std::int64_t kFormat = 1;

const json::object kNothing;

const json::object& object_at(const json::object& object, std::string_view name) {
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

double number_of(const json::value& value) {
  if (value.is_bool()) return value.get_bool() ? 1 : 0;
  return value.is_number() ? value.to_number<double>() : 0;
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
  config.layers = {texts_at(layers, "cycle"), texts_at(layers, "without_window"), text_at(layers, "interval"),
                   text_at(layers, "windowed")};
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

Transform transform_of(const json::object& object) {
  Transform transform{text_at(object, "kind"),     text_at(object, "pattern"),  {},
                      texts_at(object, "sources"), texts_at(object, "targets"), {}};
  if (const json::value* branches = object.if_contains("branches"); branches && branches->is_array())
    for (const json::value& branch : branches->get_array())
      if (branch.is_array() && branch.get_array().size() == 2)
        transform.branches.emplace_back(static_cast<int>(number_of(branch.get_array()[0])),
                                        static_cast<int>(number_of(branch.get_array()[1])));
  if (const json::value* operations = object.if_contains("operations"); operations && operations->is_array())
    for (const json::value& entry : operations->get_array()) {
      if (!entry.is_array() || entry.get_array().empty()) continue;
      Transform::Operation operation{text_of(entry.get_array()[0]), {}};
      for (std::size_t i = 1; i < entry.get_array().size(); ++i)
        operation.arguments.push_back(static_cast<int>(number_of(entry.get_array()[i])));
      transform.operations.push_back(std::move(operation));
    }
  return transform;
}

bool contains(const json::object& object, std::string_view list, std::string_view word) {
  const auto all = texts_at(object, list);
  return std::find(all.begin(), all.end(), word) != all.end();
}

}  // namespace

Result<PlanTable> PlanTable::parse(std::string_view text) {
  auto document = std::make_shared<Document>();
  boost::system::error_code error;
  document->value = json::parse(text, error, json::storage_ptr(&document->memory));
  if (error || !document->value.is_object())
    return fail(Code::Corruption, fmt::format("the plan table is no JSON object: {}", error.message()));
  const json::object& top = document->value.get_object();
  const json::value* const format = top.if_contains("format");
  if (!format || !format->is_int64() || format->get_int64() != kFormat)
    return fail(Code::Corruption, fmt::format("the plan table does not have format {}; export it again", kFormat));
  document->version = text_at(top, "transformers");
  return PlanTable(std::move(document));
}

const std::string& PlanTable::version() const { return document_->version; }

bool PlanTable::knows_type(std::string_view type) const {
  return document_->find("types", type) || contains(document_->value.get_object(), "known_types", type);
}

std::optional<TypeRecord> PlanTable::type(std::string_view name) const {
  const json::object* const object = document_->find("types", name);
  if (!object) return std::nullopt;
  TypeRecord record{text_at(*object, "causal"),
                    text_at(*object, "image_text"),
                    text_at(*object, "base"),
                    text_at(*object, "unbuildable"),
                    config_of(object_at(*object, "config")),
                    {},
                    false};
  const json::object& cache = object_at(*object, "cache");
  record.knows_cache = !cache.empty();
  for (const auto& layer : object_at(cache, "layers"))
    if (layer.value().is_object()) record.cache.emplace(layer.key(), cache_of(layer.value().get_object()));
  return record;
}

std::optional<ClassRecord> PlanTable::model_class(std::string_view name) const {
  const json::object* const object = document_->find("classes", name);
  if (!object) return std::nullopt;
  ClassRecord record;
  record.base_prefix = text_at(*object, "prefix");
  record.type = text_at(*object, "type");
  record.params = pairs_at(*object, "params");
  record.buffers = pairs_at(*object, "buffers");
  record.ties = pairs_at(*object, "ties");
  record.tp_plan = map_at(*object, "tp");
  record.ep_plan = map_at(*object, "ep");
  record.ignored = texts_at(*object, "ignore");
  record.keep_fp32 = texts_at(*object, "fp32");
  record.keep_fp32_strict = texts_at(*object, "fp32_strict");
  record.layer_lists = texts_at(*object, "layers");
  record.compiles = flag_at(*object, "compiles");
  if (const json::value* slots = object->if_contains("slots"); slots && slots->is_array())
    for (const json::value& slot : slots->get_array())
      if (slot.is_object()) record.slots.push_back(slot_of(slot.get_object()));
  for (const auto& entry : object_at(*object, "unsaved"))
    if (entry.value().is_object()) record.unsaved.push_back(buffer_of(entry.key(), entry.value().get_object()));
  return record;
}

std::vector<Transform> PlanTable::conversions(std::string_view name) const {
  std::vector<Transform> all;
  const json::value* const found = object_at(document_->value.get_object(), "conversions").if_contains(name);
  if (found && found->is_array())
    for (const json::value& entry : found->get_array())
      if (entry.is_object()) all.push_back(transform_of(entry.get_object()));
  return all;
}

std::optional<Cut> PlanTable::cut(std::string_view style, std::string_view leaf, std::size_t rank) const {
  const json::object* const described = document_->find("styles", style);
  if (!described || rank == 0) return std::nullopt;
  const json::value* cuts = described->if_contains(leaf == "weight" || leaf == "bias" ? leaf : "other");
  if (!cuts || !cuts->is_array() || rank > cuts->get_array().size()) return std::nullopt;
  const json::value& cut = cuts->get_array()[rank - 1];
  if (!cut.is_array() || cut.get_array().size() != 3) return std::nullopt;
  const json::array& parts = cut.get_array();
  return Cut{static_cast<int>(number_of(parts[0])), static_cast<int>(number_of(parts[1])), text_of(parts[2]) == "up"};
}

std::pair<QuantOutcome, std::string> PlanTable::quantiser(std::string_view method, std::string_view device) const {
  const json::object* const devices = document_->find("quantisers", method);
  const std::string outcome = devices ? text_at(*devices, device) : std::string();
  if (outcome == "keeps") return {QuantOutcome::Keeps, {}};
  if (outcome == "dequantises") return {QuantOutcome::Dequantises, {}};
  constexpr std::string_view kCannot = "cannot: ";
  if (outcome.starts_with(kCannot)) return {QuantOutcome::Cannot, outcome.substr(kCannot.size())};
  return {QuantOutcome::Unknown, {}};
}

bool PlanTable::offers_tp() const { return flag_at(object_at(document_->value.get_object(), "forms"), "tp"); }
bool PlanTable::offers_tp_ep() const { return flag_at(object_at(document_->value.get_object(), "forms"), "tp_ep"); }
bool PlanTable::offers_ep_beside_tp_plan() const {
  return text_at(object_at(document_->value.get_object(), "forms"), "ep") == "instead_of_tp_plan";
}

std::vector<std::string> PlanTable::head_fields(std::string_view projection, std::string_view style) const {
  const json::object& sharding = object_at(document_->value.get_object(), "sharding");
  if (!contains(sharding, "head_styles", style)) return {};
  return texts_at(object_at(sharding, "heads"), projection);
}

bool PlanTable::cuts_cache(std::string_view projection, std::string_view style) const {
  const json::object& sharding = object_at(document_->value.get_object(), "sharding");
  return contains(sharding, "head_styles", style) && contains(sharding, "cache_heads", projection);
}

bool PlanTable::wants_whole_experts(std::string_view style) const {
  return contains(object_at(document_->value.get_object(), "sharding"), "whole_experts", style);
}

bool PlanTable::wants_even_split(std::string_view style) const {
  return contains(object_at(document_->value.get_object(), "sharding"), "even", style);
}

}  // namespace willitrun
