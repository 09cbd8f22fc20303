#include "analysis/compare.h"

namespace willitrun {
namespace {

bool passes(const Outcome& outcome) { return outcome.verdict == "PASS"; }
bool fails(const Outcome& outcome) { return outcome.verdict == "FAIL" || outcome.verdict == "TOO_LARGE"; }

/// A model that is too large fails in the planner, before every stage.
std::string_view stage_of(const Outcome& outcome) { return outcome.verdict == "TOO_LARGE" ? "plan" : outcome.stage; }

bool have_other_files(const Outcome& a, const Outcome& b) {
  return !a.revision.empty() && !b.revision.empty() && a.revision != b.revision;
}

}  // namespace

std::optional<Change> change_between(const Outcome& before, const Outcome& after) {
  const auto either = [&](std::string_view verdict) { return before.verdict == verdict || after.verdict == verdict; };
  if (before.verdict == "UNTESTED" && after.verdict == "UNTESTED") return std::nullopt;
  if (before.verdict == "UNTESTED") return Change::Added;
  if (after.verdict == "UNTESTED") return Change::Removed;
  if (either("INDETERMINATE")) return Change::Indeterminate;
  if (either("FLAKY")) return Change::Flaky;
  if ((!passes(before) && !fails(before)) || (!passes(after) && !fails(after))) return Change::NotComparable;
  if (passes(before) && passes(after)) return Change::SamePass;
  if (fails(before) && fails(after)) return stage_of(before) == stage_of(after) ? Change::SameFail : Change::MovedStage;
  if (have_other_files(before, after)) return Change::NotComparable;
  return passes(before) ? Change::Regressed : Change::Fixed;
}

void Comparison::add(const Outcome& before, const Outcome& after) {
  const auto change = change_between(before, after);
  if (!change) return;
  count(*change, after.downloads);
  if (*change != Change::SamePass && *change != Change::SameFail) changed_.push_back({*change, before, after});
}

std::uint64_t Comparison::num_compared() const {
  std::uint64_t sum = 0;
  for (const auto& name : enum_names(std::type_identity<Change>{}))
    if (name.value != Change::Added && name.value != Change::Removed) sum += num_models(name.value);
  return sum;
}

double Comparison::indeterminate_share() const {
  const std::uint64_t compared = num_compared();
  if (compared == 0) return 0;
  return static_cast<double>(num_models(Change::Indeterminate)) / static_cast<double>(compared);
}

}  // namespace willitrun
