#include "analysis/history.h"

#include <algorithm>
#include <array>

namespace willitrun {
namespace {

bool passes(const Outcome& outcome) { return outcome.verdict == "PASS"; }

bool is_same(const Outcome& a, const Outcome& b) {
  return a.verdict == b.verdict && (passes(a) || (a.stage == b.stage && a.failure_class == b.failure_class));
}

}  // namespace

bool is_conclusive(const Outcome& outcome) {
  constexpr std::array<std::string_view, 4> kConclusive = {"PASS", "FAIL", "TOO_LARGE", "FLAKY"};
  return std::ranges::find(kConclusive, outcome.verdict) != kConclusive.end();
}

History history_of(std::span<const StackOutcome> outcomes) {
  History history;
  const StackOutcome* run_start = nullptr;  // where the newest run of PASS, or of anything else, begins
  const StackOutcome* last_good = nullptr;
  const StackOutcome* first_result = nullptr;
  for (const StackOutcome& here : outcomes) {
    if (here.outcome.verdict == "UNTESTED") continue;
    if (!is_conclusive(here.outcome)) {
      ++history.num_inconclusive;
      continue;
    }
    if (first_result == nullptr) first_result = &here;
    if (run_start == nullptr || passes(run_start->outcome) != passes(here.outcome)) run_start = &here;
    if (passes(here.outcome)) last_good = &here;
    if (history.transitions.empty() || !is_same(history.transitions.back().outcome, here.outcome))
      history.transitions.push_back({here.stack, here.stack, 0, here.outcome});
    history.transitions.back().last_stack = here.stack;
    ++history.transitions.back().num_results;
  }
  if (run_start == nullptr) return history;
  if (passes(run_start->outcome)) {
    history.works_since = run_start->stack;
    history.since_first_result = run_start == first_result;
  } else if (last_good != nullptr) {
    history.last_good = last_good->stack;
    history.first_bad = run_start->stack;
  }
  return history;
}

Bisection bisect(std::span<const StackOutcome> outcomes) {
  const History history = history_of(outcomes);
  Bisection bisection{.last_good = history.last_good, .first_bad = history.first_bad, .between = {}, .next = {}};
  if (!history.first_bad) return bisection;
  bool inside = false;
  for (const StackOutcome& here : outcomes) {
    if (here.stack == *history.first_bad) break;
    if (inside) bisection.between.push_back(here.stack);
    if (here.stack == *history.last_good) inside = true;
  }
  if (!bisection.between.empty()) bisection.next = bisection.between[bisection.between.size() / 2];
  return bisection;
}

}  // namespace willitrun
