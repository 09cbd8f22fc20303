#include "server/stack_results.h"

#include <algorithm>

namespace willitrun {
namespace {

template <class T>
std::optional<T> value_of(const LookupSnapshot& snapshot, std::string_view name, CellNumber cell) {
  const CellColumn* column = snapshot.column(name);
  if (column == nullptr) return std::nullopt;
  const Cell value = column->get(cell);
  const auto* found = std::get_if<T>(&value);
  return found == nullptr ? std::nullopt : std::optional<T>(*found);
}

}  // namespace

std::optional<Time> tested_at(const LookupSnapshot& snapshot, CellNumber cell) {
  return value_of<Time>(snapshot, "tested_at", cell);
}

std::vector<StackResults> stacks_with_results(const LookupSnapshot& snapshot) {
  std::vector<StackResults> list;
  for (std::uint32_t target = 0; target < snapshot.targets().size(); ++target) {
    for (auto stack = static_cast<StackNumber>(snapshot.stacks().size()); stack-- > 0;) {
      const auto cells = snapshot.cells_on(target, stack);
      if (cells.empty()) continue;
      StackResults results{.target = snapshot.targets()[target], .stack = stack, .num_models = cells.size()};
      for (const CellNumber cell : cells) {
        results.num_passed += snapshot.verdicts().text(cell) == "PASS";
        results.is_emulated |= value_of<bool>(snapshot, "emulated", cell).value_or(false);
        results.newest = std::max(results.newest, tested_at(snapshot, cell));
      }
      list.push_back(std::move(results));
    }
  }
  return list;
}

ShownResults results_on(const LookupSnapshot& snapshot, std::uint32_t target, StackNumber stack) {
  ShownResults shown{.target = target, .stack = stack, .cells = {}};
  shown.cells.assign(snapshot.num_models(), kNone);
  for (const CellNumber cell : snapshot.cells_on(target, stack)) shown.cells[snapshot.model_of(cell)] = cell;
  return shown;
}

}  // namespace willitrun
