#include "analysis/coverage.h"

#include <algorithm>
#include <utility>

#include "domain/verdict.h"

namespace willitrun {
namespace {

/// Verdicts in the order of their enum, other words behind them.
std::pair<int, std::string_view> place_of(const CoveragePart& part) {
  const auto verdict = from_text<Verdict>(part.verdict);
  return {verdict ? static_cast<int>(*verdict) : 1000, part.verdict};
}

}  // namespace

double Coverage::share_of(std::string_view verdict) const {
  const auto part = std::ranges::find(parts, verdict, &CoveragePart::verdict);
  if (part == parts.end()) return 0;
  if (downloads == 0) return static_cast<double>(part->num_models) / static_cast<double>(num_models);
  return static_cast<double>(part->downloads) / static_cast<double>(downloads);
}

void Coverage::add(std::string_view verdict, std::uint64_t models, std::int64_t downloads_of_them) {
  if (models == 0) return;
  auto part = std::ranges::find(parts, verdict, &CoveragePart::verdict);
  if (part == parts.end()) {
    CoveragePart fresh{.verdict = std::string(verdict)};
    part = parts.insert(std::ranges::upper_bound(parts, place_of(fresh), {}, place_of), std::move(fresh));
  }
  part->num_models += models;
  part->downloads += downloads_of_them;
  num_models += models;
  downloads += downloads_of_them;
}

Coverage coverage_of(std::span<const Outcome> outcomes) {
  Coverage coverage;
  for (const Outcome& outcome : outcomes) coverage.add(outcome.verdict, 1, outcome.downloads);
  return coverage;
}

}  // namespace willitrun
