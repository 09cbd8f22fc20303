#include "cli/history_text.h"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "cli/result_text.h"
#include "domain/row.h"

namespace willitrun {
namespace {

namespace json = boost::json;

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

json::value or_null(const std::optional<std::string>& text) { return text ? json::value(*text) : json::value(nullptr); }

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

std::string history_json(const std::string& target, const std::vector<StackLine>& lines) {
  json::array array;
  for (const StackLine& line : lines) {
    const History history = history_of(line.outcomes);
    json::array transitions;
    for (const Transition& transition : history.transitions)
      transitions.push_back({{"first_stack", transition.first_stack},
                             {"last_stack", transition.last_stack},
                             {"results", transition.num_results},
                             {"verdict", transition.outcome.verdict},
                             {"evidence", transition.outcome.evidence},
                             {"stage", transition.outcome.stage},
                             {"class", transition.outcome.failure_class},
                             {"signature", transition.outcome.signature}});
    array.push_back({{"target", target},
                     {"axis", to_text(line.axis)},
                     {"fixed", line.fixed},
                     {"works_since", or_null(history.works_since)},
                     {"since_first_result", history.since_first_result},
                     {"last_good", or_null(history.last_good)},
                     {"first_bad", or_null(history.first_bad)},
                     {"inconclusive", history.num_inconclusive},
                     {"transitions", std::move(transitions)}});
  }
  return json::serialize(array);
}

}  // namespace willitrun
