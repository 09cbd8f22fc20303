#include "lookup/answers.h"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "base/text.h"
#include "domain/row_json.h"
#include "domain/row_stack.h"
#include "lookup/address_key.h"

// Rows are JSON already, in the one form that all answers have: they are put in as text.
namespace willitrun {
namespace {

namespace json = boost::json;

json::value or_null(const std::optional<std::string>& text) { return text ? json::value(*text) : json::value(nullptr); }

json::object to_json(const StackLine& line, const std::string& target) {
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
  return {{"target", target},
          {"axis", to_text(line.axis)},
          {"fixed", line.fixed},
          {"works_since", or_null(history.works_since)},
          {"since_first_result", history.since_first_result},
          {"last_good", or_null(history.last_good)},
          {"first_bad", or_null(history.first_bad)},
          {"inconclusive", history.num_inconclusive},
          {"transitions", std::move(transitions)}};
}

std::string histories_json(std::span<const TargetHistory> histories) {
  json::array array;
  for (const TargetHistory& history : histories)
    for (const StackLine& line : history.lines) array.push_back(to_json(line, history.target));
  return json::serialize(array);
}

}  // namespace

std::string text_json(std::string_view text) { return json::serialize(json::value(text)); }

std::string stack_members(const Stack& stack) {
  std::string object = json::serialize(json::object{{"name", short_name(stack)},
                                                    {"key", address_key(stack)},
                                                    {"neuronx_cc", stack.neuronx_cc},
                                                    {"library", stack.library},
                                                    {"library_version", stack.library_version},
                                                    {"transformers", stack.transformers},
                                                    {"accelerate", stack.accelerate},
                                                    {"torch_neuronx", stack.torch_neuronx},
                                                    {"torch", stack.torch},
                                                    {"nki", stack.nki},
                                                    {"python", stack.python},
                                                    {"neuron_driver", stack.neuron_driver},
                                                    {"neuron_cc_flags", stack.neuron_cc_flags}});
  return object.substr(1, object.size() - 2);
}

std::string stack_json(const Stack& stack) { return "{" + stack_members(stack) + "}"; }

std::string coverage_json(const Coverage& coverage) {
  json::array parts;
  for (const CoveragePart& part : coverage.parts)
    parts.push_back({{"verdict", part.verdict}, {"models", part.num_models}, {"downloads", part.downloads}});
  return json::serialize(json::object{{"models", coverage.num_models},
                                      {"downloads", coverage.downloads},
                                      {"pass_share_of_downloads", coverage.share_of("PASS")},
                                      {"verdicts", std::move(parts)}});
}

std::string rows_json(const std::vector<Row>& rows) {
  std::vector<std::string> texts;
  texts.reserve(rows.size());
  for (const Row& row : rows) texts.push_back(to_json(row));
  return "[" + join(texts, ",") + "]";
}

std::string list_answer(const View& view, const ViewRequest& request, const std::vector<Row>& rows) {
  return fmt::format(
      R"({{"schema":1,"rows":{},"total":{},"total_exact":true,"next":{},"stack":{},"target":{},"view":"{}","relaxed":{},"coverage":{}}})",
      rows_json(rows), view.total, view.next ? text_json(*view.next) : "null",
      view.stack ? stack_json(*view.stack) : "null", text_json(request.stack.target), to_text(request.view),
      view.relaxed, coverage_json(view.coverage));
}

std::string model_members(const ModelPage& page, const std::vector<Row>& rows) {
  const std::string cache = rows.empty() ? "" : cache_command(stack_of(rows[page.shown]));
  return fmt::format(R"("schema":1,"model":{},"shown":{},"rows":{},"history":{},"cache_command":{})",
                     to_json(page.facts), rows.empty() ? "null" : fmt::format("{}", page.shown), rows_json(rows),
                     histories_json(page.histories), text_json(cache));
}

std::string history_answer(std::string_view model_id, std::span<const TargetHistory> histories) {
  return fmt::format(R"({{"schema":1,"model_id":{},"history":{}}})", text_json(model_id), histories_json(histories));
}

}  // namespace willitrun
