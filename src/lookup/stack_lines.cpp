#include "lookup/stack_lines.h"

#include <fmt/format.h>

#include <algorithm>

#include "domain/version_order.h"
#include "lookup/outcomes.h"

namespace willitrun {
namespace {

std::string fixed_part(const Stack& stack, Axis axis) {
  if (axis == Axis::Compiler)
    return fmt::format("Transformers {}", stack.transformers.empty() ? stack.library_version : stack.transformers);
  return stack.neuronx_cc.empty() ? "no neuronx-cc" : fmt::format("neuronx-cc {}", stack.neuronx_cc);
}

CellNumber cell_on(const LookupSnapshot& snapshot, CellRange cells, StackNumber stack) {
  for (CellNumber cell = cells.first; cell < cells.last; ++cell)
    if (snapshot.stack_of(cell) == stack) return cell;
  return kNone;
}

}  // namespace

std::vector<StackLine> stack_lines(const LookupSnapshot& snapshot, std::uint32_t target, ModelNumber model, Axis axis) {
  const CellRange cells = snapshot.cells_of(target, model);
  const OutcomeReader reader(snapshot);
  std::vector<StackLine> lines;
  for (StackNumber number = 0; number < snapshot.stacks().size(); ++number) {
    if (snapshot.cells_on(target, number).empty()) continue;
    const Stack& stack = snapshot.stacks()[number];
    const std::string fixed = fixed_part(stack, axis);
    auto line = std::ranges::find(lines, fixed, &StackLine::fixed);
    if (line == lines.end()) line = lines.insert(line, {axis, fixed, {}});
    line->outcomes.push_back({short_name(stack), reader.read(model, cell_on(snapshot, cells, number))});
  }
  std::ranges::stable_sort(
      lines, [](const StackLine& a, const StackLine& b) { return compare_versions(a.fixed, b.fixed) < 0; });
  return lines;
}

}  // namespace willitrun
