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

Coverage coverage_of(std::span<const Outcome> outcomes) {
  Coverage coverage;
  for (const Outcome& outcome : outcomes) {
    auto part = std::ranges::find(coverage.parts, outcome.verdict, &CoveragePart::verdict);
    if (part == coverage.parts.end()) part = coverage.parts.insert(part, {.verdict = std::string(outcome.verdict)});
    ++part->num_models;
    part->downloads += outcome.downloads;
    ++coverage.num_models;
    coverage.downloads += outcome.downloads;
  }
  std::ranges::sort(coverage.parts, {}, place_of);
  return coverage;
}

}  // namespace willitrun
