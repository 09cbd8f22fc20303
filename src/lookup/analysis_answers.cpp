#include <boost/json.hpp>

#include "lookup/address_key.h"
#include "lookup/answers.h"

namespace willitrun {
namespace {

namespace json = boost::json;

json::object to_json(const Outcome& outcome) {
  return {{"verdict", outcome.verdict},     {"evidence", outcome.evidence},   {"stage", outcome.stage},
          {"class", outcome.failure_class}, {"signature", outcome.signature}, {"model_revision", outcome.revision}};
}

json::object to_json(const FailureCluster& cluster) {
  json::array models;
  for (const AffectedModel& model : cluster.models)
    models.push_back({{"model_id", model.id}, {"downloads", model.downloads}});
  return {{"signature", cluster.signature},
          {"key", address_key(cluster.signature)},
          {"stage", cluster.stage},
          {"class", cluster.failure_class},
          {"downloads", cluster.downloads},
          {"first_seen", cluster.first_seen ? json::value(to_text(*cluster.first_seen)) : json::value(nullptr)},
          {"stacks", json::value_from(cluster.stacks)},
          {"models", std::move(models)}};
}

}  // namespace

std::string comparison_answer(const Comparison& comparison, const Stack& before, const Stack& after,
                              std::string_view target) {
  json::object classes;
  for (const auto& [change, name] : enum_names(std::type_identity<Change>{}))
    classes.emplace(
        name, json::object{{"models", comparison.num_models(change)}, {"downloads", comparison.downloads(change)}});
  json::array models;
  for (const ChangedModel& model : comparison.changed())
    models.push_back({{"model_id", model.before.model},
                      {"change", to_text(model.change)},
                      {"downloads", model.before.downloads},
                      {"before", to_json(model.before)},
                      {"after", to_json(model.after)}});
  return json::serialize(json::object{{"schema", 1},
                                      {"target", target},
                                      {"before", short_name(before)},
                                      {"after", short_name(after)},
                                      {"compared", comparison.num_compared()},
                                      {"indeterminate_share", comparison.indeterminate_share()},
                                      {"classes", std::move(classes)},
                                      {"models", std::move(models)}});
}

std::string cluster_json(const FailureCluster& cluster) { return json::serialize(to_json(cluster)); }

std::string failures_answer(std::span<const FailureCluster> clusters, std::string_view target, std::string_view stack) {
  json::array rows;
  for (const FailureCluster& cluster : clusters) rows.push_back(to_json(cluster));
  return json::serialize(json::object{{"schema", 1}, {"target", target}, {"stack", stack}, {"rows", std::move(rows)}});
}

}  // namespace willitrun
