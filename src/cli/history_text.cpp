#include "cli/history_text.h"

#include <fmt/format.h>

#include "cli/result_text.h"
#include "domain/row.h"

namespace willitrun {
namespace {

Row row_of(const Outcome& outcome) {
  Row row;
  row.verdict = std::string(outcome.verdict);
  const auto set = [](std::optional<std::string>& field, std::string_view text) {
    if (!text.empty()) field = std::string(text);
  };
  set(row.evidence, outcome.evidence);
  set(row.stage, outcome.stage);
  set(row.failure_class, outcome.failure_class);
  return row;
}

std::string conclusion_of(const History& history) {
  if (history.works_since)
    return fmt::format("works since {}{}", *history.works_since,
                       history.since_first_result ? " (the oldest result: it may have worked before)" : "");
  if (history.first_bad) return fmt::format("last good {}, first bad {}", *history.last_good, *history.first_bad);
  return history.transitions.empty() ? "no conclusive result" : "has not worked yet";
}

}  // namespace

std::string history_text(const StackLine& line) {
  const History history = history_of(line.outcomes);
  std::string text = fmt::format("{}: {}\n", line.fixed, conclusion_of(history));
  for (const Transition& transition : history.transitions) {
    const std::string stacks = transition.num_results == 1
                                   ? transition.first_stack
                                   : fmt::format("{} ... {} ({} results)", transition.first_stack,
                                                 transition.last_stack, transition.num_results);
    text += fmt::format("  {}  {}\n", coloured_result(row_of(transition.outcome)), stacks);
  }
  if (history.num_inconclusive > 0) text += fmt::format("  {} inconclusive left out\n", history.num_inconclusive);
  return text;
}

}  // namespace willitrun
