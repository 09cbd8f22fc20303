#include "cli/json_answer.h"

#include <boost/json.hpp>

#include "base/text.h"
#include "domain/row_json.h"

namespace willitrun {
namespace {

namespace json = boost::json;

json::value to_json(const Stack& stack) {
  return json::object{{"name", short_name(stack)},
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
                      {"neuron_cc_flags", stack.neuron_cc_flags}};
}

json::value to_json(const Coverage& coverage) {
  json::array parts;
  for (const CoveragePart& part : coverage.parts)
    parts.push_back({{"verdict", part.verdict}, {"models", part.num_models}, {"downloads", part.downloads}});
  return json::object{{"models", coverage.num_models},
                      {"downloads", coverage.downloads},
                      {"pass_share_of_downloads", coverage.share_of("PASS")},
                      {"verdicts", std::move(parts)}};
}

}  // namespace

std::string list_answer(const View& view, const ViewRequest& request, const std::vector<Row>& rows) {
  // Rows are JSON already, in the one form that all answers have: they are put in as text.
  std::vector<std::string> texts;
  for (const Row& row : rows) texts.push_back(willitrun::to_json(row));
  const json::object rest = {{"total", view.total},
                             {"total_exact", true},
                             {"next", view.next ? json::value(*view.next) : json::value(nullptr)},
                             {"stack", view.stack ? to_json(*view.stack) : json::value(nullptr)},
                             {"target", request.stack.target},
                             {"view", to_text(request.view)},
                             {"relaxed", view.relaxed},
                             {"coverage", to_json(view.coverage)}};
  return "{\"schema\":1,\"rows\":[" + join(texts, ",") + "]," + json::serialize(rest).substr(1);
}

}  // namespace willitrun
