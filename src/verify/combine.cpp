#include "verify/combine.h"

namespace willitrun {
namespace {

std::optional<std::size_t> last_of(std::span<const Verdict> attempts, Verdict verdict) {
  for (std::size_t i = attempts.size(); i-- > 0;)
    if (attempts[i] == verdict) return i;
  return std::nullopt;
}

}  // namespace

CombinedVerdict combine(std::span<const Verdict> attempts, const Standing& standing) {
  if (standing.excluded) return {Verdict::Excluded, std::nullopt};
  if (standing.plan == PlanStatus::TooLarge) return {Verdict::TooLarge, std::nullopt};
  const auto pass = last_of(attempts, Verdict::Pass);
  const auto fail = last_of(attempts, Verdict::Fail);
  if (pass && fail) return {Verdict::Flaky, fail};
  if (pass) return {Verdict::Pass, pass};
  if (fail) return {Verdict::Fail, fail};
  if (const auto infra = last_of(attempts, Verdict::Indeterminate)) return {Verdict::Indeterminate, infra};
  return {Verdict::Untested, std::nullopt};
}

}  // namespace willitrun
