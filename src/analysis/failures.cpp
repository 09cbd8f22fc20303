#include "analysis/failures.h"

#include <algorithm>

namespace willitrun {

std::string_view cluster_name(const Outcome& outcome) {
  if (!outcome.signature.empty()) return outcome.signature;
  return outcome.failure_class.empty() ? "unclassified" : outcome.failure_class;
}

void FailureClusters::add(const FailedResult& result) {
  const std::string name(cluster_name(result.outcome));
  const auto [known, is_new] = by_signature_.try_emplace(name, clusters_.size());
  if (is_new)
    clusters_.push_back({.signature = name,
                         .failure_class = std::string(result.outcome.failure_class),
                         .stage = std::string(result.outcome.stage),
                         .models = {},
                         .downloads = 0,
                         .stacks = {},
                         .first_seen = result.tested_at});
  FailureCluster& cluster = clusters_[known->second];
  if (cluster.stacks.empty() || cluster.stacks.back() != result.stack) cluster.stacks.emplace_back(result.stack);
  if (result.tested_at && (!cluster.first_seen || *result.tested_at < *cluster.first_seen))
    cluster.first_seen = result.tested_at;
  if (!result.is_current) return;
  cluster.models.push_back({std::string(result.outcome.model), result.outcome.downloads});
  cluster.downloads += result.outcome.downloads;
}

std::vector<FailureCluster> FailureClusters::finish() && {
  std::erase_if(clusters_, [](const FailureCluster& cluster) { return cluster.models.empty(); });
  for (FailureCluster& cluster : clusters_)
    std::ranges::stable_sort(cluster.models, std::greater<>(), &AffectedModel::downloads);
  std::ranges::stable_sort(clusters_, [](const FailureCluster& a, const FailureCluster& b) {
    if (a.downloads != b.downloads) return a.downloads > b.downloads;
    if (a.models.size() != b.models.size()) return a.models.size() > b.models.size();
    return a.signature < b.signature;
  });
  return std::move(clusters_);
}

}  // namespace willitrun
