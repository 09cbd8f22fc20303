#include "plan/plan_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>

#include "plan/json_values.h"
#include "plan/table_document.h"

namespace willitrun {

namespace json = boost::json;

namespace {

constexpr std::int64_t kFormat = 1;

const json::object& section(const TableDocument& document, std::string_view name) {
  static const json::object kNothing;
  const json::object* const found = document.at(name).if_object();
  return found ? *found : kNothing;
}

bool contains(const std::vector<std::string>& all, std::string_view word) {
  return std::find(all.begin(), all.end(), word) != all.end();
}

bool contains(const json::object& object, std::string_view list, std::string_view word) {
  return contains(texts_at(object, list), word);
}

}  // namespace

PlanTable::PlanTable(std::shared_ptr<const TableDocument> document)
    : document_(std::move(document)), version_(text_of(document_->at("transformers"))) {}

Result<PlanTable> PlanTable::parse(std::string text) {
  ASSIGN_OR_RETURN(auto document, TableDocument::open(std::move(text)));
  if (document->at("format") != kFormat)
    return fail(Code::Corruption, fmt::format("the plan table does not have format {}; export it again", kFormat));
  return PlanTable(std::move(document));
}

bool PlanTable::knows_type(std::string_view type) const {
  return document_->at("types", type).is_object() || contains(texts_of(&document_->at("known_types")), type);
}

std::optional<TypeRecord> PlanTable::type(std::string_view name) const {
  const json::object* const object = document_->at("types", name).if_object();
  if (!object) return std::nullopt;
  TypeRecord record = type_record(*object);
  for (const auto& entry : section(*document_, "renamed_layers"))
    record.config.layers.renamed.emplace(entry.key(), text_of(entry.value()));
  return record;
}

std::optional<ClassRecord> PlanTable::model_class(std::string_view name) const {
  const json::object* const object = document_->at("classes", name).if_object();
  return object ? std::optional(class_record(*object)) : std::nullopt;
}

std::vector<Transform> PlanTable::conversions(std::string_view name) const {
  std::vector<Transform> all;
  const json::value& found = document_->at("conversions", name);
  if (found.is_array())
    for (const json::value& entry : found.get_array())
      if (entry.is_object()) all.push_back(transform(entry.get_object()));
  return all;
}

std::optional<Cut> PlanTable::cut(std::string_view style, std::string_view leaf, std::size_t rank) const {
  const json::object* const described = document_->at("styles", style).if_object();
  if (!described || rank == 0) return std::nullopt;
  const json::value* cuts = described->if_contains(leaf == "weight" || leaf == "bias" ? leaf : "other");
  if (!cuts || !cuts->is_array() || rank > cuts->get_array().size()) return std::nullopt;
  const json::value& cut = cuts->get_array()[rank - 1];
  if (!cut.is_array() || cut.get_array().size() != 3) return std::nullopt;
  const json::array& parts = cut.get_array();
  return Cut{static_cast<int>(number_of(parts[0])), static_cast<int>(number_of(parts[1])), text_of(parts[2]) == "up"};
}

bool PlanTable::knows_style(std::string_view style) const { return document_->at("styles", style).is_object(); }

std::pair<QuantOutcome, std::string> PlanTable::quantiser(std::string_view method, std::string_view device) const {
  const json::object* const devices = document_->at("quantisers", method).if_object();
  const std::string outcome = devices ? text_at(*devices, device) : std::string();
  if (outcome == "keeps") return {QuantOutcome::Keeps, {}};
  if (outcome == "dequantises") return {QuantOutcome::Dequantises, {}};
  constexpr std::string_view kCannot = "cannot: ";
  if (outcome.starts_with(kCannot)) return {QuantOutcome::Cannot, outcome.substr(kCannot.size())};
  return {QuantOutcome::Unknown, {}};
}

bool PlanTable::offers_tp() const { return flag_at(section(*document_, "forms"), "tp"); }
bool PlanTable::offers_tp_ep() const { return flag_at(section(*document_, "forms"), "tp_ep"); }
bool PlanTable::offers_ep_beside_tp_plan() const {
  return text_at(section(*document_, "forms"), "ep") == "instead_of_tp_plan";
}

std::vector<std::string> PlanTable::head_fields(std::string_view projection, std::string_view style) const {
  const json::object& sharding = section(*document_, "sharding");
  if (!contains(sharding, "head_styles", style)) return {};
  return texts_at(object_at(sharding, "heads"), projection);
}

bool PlanTable::cuts_cache(std::string_view projection, std::string_view style) const {
  const json::object& sharding = section(*document_, "sharding");
  return contains(sharding, "head_styles", style) && contains(sharding, "cache_heads", projection);
}

bool PlanTable::wants_whole_experts(std::string_view style) const {
  return contains(section(*document_, "sharding"), "whole_experts", style);
}

bool PlanTable::wants_even_split(std::string_view style) const {
  return contains(section(*document_, "sharding"), "even", style);
}

}  // namespace willitrun
