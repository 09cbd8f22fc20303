#include "cli/plan_json.h"

#include <boost/json.hpp>

namespace willitrun {
namespace {

namespace json = boost::json;

json::value to_json(const PlanNote& note) { return {{"code", to_text(note.code)}, {"message", note.message}}; }

json::value to_json(const std::optional<PlanNote>& note) { return note ? to_json(*note) : json::value(nullptr); }

json::object to_json(const PlannedModel& model) {
  const auto or_null = [](const std::string& text) { return text.empty() ? json::value(nullptr) : json::value(text); };
  return {{"id", model.id},
          {"revision", or_null(model.revision)},
          {"task", or_null(model.task)},
          {"model_type", or_null(model.model_type)},
          {"architectures", json::value_from(model.architectures)}};
}

json::object to_json(const PlanBytes& bytes) {
  return {{"stored", bytes.stored},
          {"loaded", bytes.loaded},
          {"buffers", bytes.buffers},
          {"per_core", bytes.per_core},
          {"kv_cache_per_core", bytes.kv_cache_per_core},
          {"reserve_per_core", bytes.reserve_per_core},
          {"capacity_per_core", bytes.capacity_per_core}};
}

json::object to_json(const PlanOption& option) {
  return {{"cores", option.cores},
          {"mode", to_text(option.mode)},
          {"fits", option.fits},
          {"per_core", option.per_core},
          {"kv_cache_per_core", option.kv_cache_per_core},
          {"reason", to_json(option.reason)}};
}

}  // namespace

std::string plan_to_json(const Plan& plan) {
  json::array options, notes;
  for (const PlanOption& option : plan.options) options.push_back(to_json(option));
  for (const PlanNote& note : plan.notes) notes.push_back(to_json(note));
  const json::object document = {{"schema", 1},
                                 {"model", to_json(plan.model)},
                                 {"target", plan.target},
                                 {"transformers", plan.transformers},
                                 {"status", to_text(plan.status)},
                                 {"reason", to_json(plan.reason)},
                                 {"tokens", {{"prompt", plan.tokens.prompt_tokens}, {"new", plan.tokens.new_tokens}}},
                                 {"cache_class", "StaticCache"},  // of Transformers: whose allocation is counted
                                 {"mode", plan.mode ? json::value(to_text(*plan.mode)) : json::value(nullptr)},
                                 {"cores", plan.mode ? json::value(plan.cores) : json::value(nullptr)},
                                 {"parameters", plan.parameters},
                                 {"dtype", plan.dtype.empty() ? json::value(nullptr) : json::value(plan.dtype)},
                                 {"bytes", to_json(plan.bytes)},
                                 {"options", std::move(options)},
                                 {"notes", std::move(notes)}};
  return json::serialize(document);
}

}  // namespace willitrun
