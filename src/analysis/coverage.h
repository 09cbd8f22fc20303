#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analysis/outcome.h"

namespace willitrun {

/// How many models, and how many downloads, have one verdict.
struct CoveragePart {
  std::string verdict;
  std::uint64_t num_models = 0;
  std::int64_t downloads = 0;

  bool operator==(const CoveragePart&) const = default;
};

/// What share of real use a set of results speaks for. Models that were not tested count too: a share that leaves them
/// out flatters.
struct Coverage {
  std::uint64_t num_models = 0;
  std::int64_t downloads = 0;
  std::vector<CoveragePart> parts;  ///< In the order of Verdict, then other systems' words by name; none is empty.

  /// Adds models of one verdict, with their downloads. Nothing is added for no models.
  void add(std::string_view verdict, std::uint64_t models, std::int64_t downloads_of_them);

  /// Share of all downloads, between 0 and 1, that have the verdict; of all models when nothing was downloaded.
  double share_of(std::string_view verdict) const;
};

/// Adds up outcomes, one per model.
Coverage coverage_of(std::span<const Outcome> outcomes);

}  // namespace willitrun
