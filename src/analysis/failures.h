#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analysis/outcome.h"
#include "base/time.h"

namespace willitrun {

/// A result that is a failure.
struct FailedResult {
  Outcome outcome;
  std::string_view stack;  ///< Short name.
  std::optional<Time> tested_at;
  bool is_current = false;  ///< On the stack that people look at now; older ones only tell since when.
};

/// A model that waits for a fix.
struct AffectedModel {
  std::string id;
  std::int64_t downloads = 0;
};

/// Failures with one signature: one fix helps them all.
struct FailureCluster {
  std::string signature;  ///< The class where failures have no signature; `unclassified` without either.
  std::string failure_class;
  std::string stage;
  std::vector<AffectedModel> models;  ///< That fail so on the current stack, most downloaded first.
  std::int64_t downloads = 0;         ///< Of those models.
  std::vector<std::string> stacks;    ///< Where it was seen, in the order in which results were added.
  std::optional<Time> first_seen;
};

/// Collects failures into clusters. Add results stack by stack, old to new.
class FailureClusters {
 public:
  void add(const FailedResult& result);

  /// Returns the clusters that affect a model on the current stack, those with the most downloads first.
  std::vector<FailureCluster> finish() &&;

 private:
  std::vector<FailureCluster> clusters_;
  std::unordered_map<std::string, std::size_t> by_signature_;
};

/// The name of the cluster that a failure belongs to.
std::string_view cluster_name(const Outcome& outcome);

}  // namespace willitrun
