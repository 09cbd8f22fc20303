#include "lookup/model_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "domain/version_order.h"

namespace willitrun {
namespace {

/// Where AWS and Hugging Face keep compiled graphs, one prefix per compiler version.
constexpr std::string_view kCacheBucket = "hf://buckets/aws-neuron/torch-neuronx-neff-cache";
constexpr std::string_view kCacheFolder = "/tmp/neff_cache";

std::size_t num_results(const StackLine& line) {
  return static_cast<std::size_t>(std::ranges::count_if(
      line.outcomes, [](const StackOutcome& outcome) { return outcome.outcome.verdict != "UNTESTED"; }));
}

/// The lines with results along the axis whose longest line has more of them.
std::vector<StackLine> telling_lines(const LookupSnapshot& snapshot, std::uint32_t target, ModelNumber model) {
  std::vector<StackLine> best;
  std::size_t most = 0;
  for (const Axis axis : {Axis::Compiler, Axis::Library}) {
    auto lines = stack_lines(snapshot, target, model, axis);
    std::erase_if(lines, [](const StackLine& line) { return num_results(line) == 0; });
    std::size_t longest = 0;
    for (const StackLine& line : lines) longest = std::max(longest, num_results(line));
    if (longest > most) {
      most = longest;
      best = std::move(lines);
    }
  }
  return best;
}

std::vector<std::uint32_t> targets_with(const LookupSnapshot& snapshot, ModelNumber model, std::string_view first) {
  std::vector<std::uint32_t> targets;
  for (std::uint32_t target = 0; target < snapshot.targets().size(); ++target)
    if (snapshot.cells_of(target, model).size() > 0) targets.push_back(target);
  std::ranges::stable_sort(targets, {}, [&](std::uint32_t target) { return snapshot.targets()[target] != first; });
  return targets;
}

bool fits(const Stack& stack, const StackFilter& filter) {
  const auto fits_version = [](std::string_view version, std::string_view wanted) {
    return wanted.empty() || version_is_within(version, wanted);
  };
  return fits_version(stack.neuronx_cc, filter.neuronx_cc) && fits_version(stack.transformers, filter.transformers);
}

}  // namespace

Result<ModelNumber> find_model(const LookupSnapshot& snapshot, std::string_view id) {
  if (const auto exact = snapshot.find_model(id)) return *exact;
  std::vector<std::string> alike;
  if (const auto query = parse_name_query(id)) {
    const auto looser = relaxed(*query);
    auto names = snapshot.names().find(*query, 0, 5).names;
    if (names.empty() && looser) names = snapshot.names().find(*looser, 0, 5).names;
    for (const ModelNumber model : names) {
      if (to_lower(snapshot.model_id(model)) == to_lower(id)) return model;
      alike.push_back(to_valid_utf8(snapshot.model_id(model)));
    }
  }
  return fail(Code::NotFound, fmt::format("this home knows no model '{}'{}", to_valid_utf8(id),
                                          alike.empty() ? "" : ": do you mean " + join(alike, ", ")));
}

Result<ModelPage> make_model_page(const LookupSnapshot& snapshot, ModelNumber model, const StackFilter& filter) {
  ModelPage page{.model = model, .facts = snapshot.row_without_result(model), .cells = {}, .shown = 0, .histories = {}};
  for (const std::uint32_t target : targets_with(snapshot, model, filter.target)) {
    const CellRange range = snapshot.cells_of(target, model);
    const std::size_t first = page.cells.size();
    for (CellNumber cell = range.first; cell < range.last; ++cell) page.cells.push_back({model, cell});
    std::ranges::sort(page.cells.begin() + static_cast<std::ptrdiff_t>(first), page.cells.end(), std::greater<>(),
                      [&](const ViewRow& row) { return snapshot.stack_of(*row.cell); });
    page.histories.push_back({snapshot.targets()[target], telling_lines(snapshot, target, model)});
  }
  const auto shown = std::ranges::find_if(
      page.cells, [&](const ViewRow& row) { return fits(snapshot.stacks()[snapshot.stack_of(*row.cell)], filter); });
  if (shown == page.cells.end() && !page.cells.empty())
    return fail(Code::InvalidArgument,
                fmt::format("'{}' has no result on that stack; 'willitrun history {}' lists those "
                            "that it has",
                            snapshot.model_id(model), snapshot.model_id(model)));
  page.shown = static_cast<std::size_t>(shown - page.cells.begin());
  return page;
}

std::string cache_command(const Stack& stack) {
  if (stack.neuronx_cc.empty()) return "";
  return fmt::format("hf buckets sync {}/neuronxcc-{} {}", kCacheBucket, stack.neuronx_cc, kCacheFolder);
}

std::size_t common_prefix(std::string_view a, std::string_view b) {
  auto length = static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
  const auto is_inside_character = [](std::string_view text, std::size_t at) {
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
  };
  while (length > 0 && (is_inside_character(a, length) || is_inside_character(b, length))) --length;
  return length;
}

}  // namespace willitrun
