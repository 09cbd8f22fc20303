#include "lookup/cell_layout.h"

#include <fmt/format.h>

#include <numeric>
#include <utility>

namespace willitrun {

CellLayout::CellLayout(const CellAxes& axes, const std::vector<CellPlace>& places,
                       const std::vector<StackNumber>& stack_of_row)
    : num_models_(axes.num_models) {
  model_of_cell_.reserve(places.size());
  stack_of_cell_.reserve(places.size());
  for (const CellPlace& place : places) {
    model_of_cell_.push_back(static_cast<ModelNumber>(place.target_and_model));
    stack_of_cell_.push_back(static_cast<std::uint16_t>(stack_of_row[place.row]));
  }
  start_models(axes, places);
  list_by_stack(axes);
  link(axes);
}

CellRange CellLayout::cells_of(std::size_t target, std::size_t model) const {
  const std::size_t at = target * (num_models_ + 1) + model;
  return {model_starts_[at], model_starts_[at + 1]};
}

CellRange CellLayout::cells_of_target(std::size_t target) const {
  const std::size_t at = target * (num_models_ + 1);
  return {model_starts_[at], model_starts_[at + num_models_]};
}

void CellLayout::start_models(const CellAxes& axes, const std::vector<CellPlace>& places) {
  model_starts_.reserve(axes.num_targets * (num_models_ + 1));
  std::size_t cell = 0;
  for (std::uint64_t target = 0; target < axes.num_targets; ++target) {
    for (std::uint64_t model = 0; model <= num_models_; ++model) {
      while (cell < places.size() && places[cell].target_and_model < (target << 32 | model)) ++cell;
      model_starts_.push_back(static_cast<CellNumber>(cell));
    }
  }
}

/// Lists the cells of every target and stack: a counting sort, which keeps the order of models.
void CellLayout::list_by_stack(const CellAxes& axes) {
  stack_starts_.assign(axes.num_targets * axes.num_stacks() + 1, 0);
  const auto for_each_cell = [&](auto visit) {
    for (std::size_t target = 0; target < axes.num_targets; ++target) {
      const CellRange range = cells_of_target(target);
      for (CellNumber cell = range.first; cell < range.last; ++cell)
        visit(target * axes.num_stacks() + stack_of_cell_[cell], cell);
    }
  };
  for_each_cell([&](std::size_t place, CellNumber) { ++stack_starts_[place + 1]; });
  std::partial_sum(stack_starts_.begin(), stack_starts_.end(), stack_starts_.begin());
  auto next = stack_starts_;
  by_stack_.resize(model_of_cell_.size());
  for_each_cell([&](std::size_t place, CellNumber cell) { by_stack_[next[place]++] = cell; });
}

/// Finds for every cell its successor with the same library (the neighbour) and with the same compiler (a link).
void CellLayout::link(const CellAxes& axes) {
  next_library_.assign(model_of_cell_.size(), kNone);
  std::vector<CellNumber> last_of_compiler(axes.num_stacks(), kNone);
  for (std::size_t target = 0; target < axes.num_targets; ++target) {
    const CellRange all = cells_of_target(target);
    Bitmap& has_next = has_next_compiler_.emplace_back(all.size());
    for (std::size_t model = 0; model < num_models_; ++model) {
      const CellRange range = cells_of(target, model);
      for (CellNumber cell = range.first; cell < range.last; ++cell) {
        const StackNumber stack = stack_of_cell_[cell];
        CellNumber& previous = last_of_compiler[axes.compiler_rank[stack]];
        if (previous != kNone) next_library_[previous] = cell;
        previous = cell;
        if (cell + 1 < range.last && axes.library_rank[stack_of_cell_[cell + 1]] == axes.library_rank[stack])
          has_next.set(cell - all.first);
      }
      for (CellNumber cell = range.first; cell < range.last; ++cell)
        last_of_compiler[axes.compiler_rank[stack_of_cell_[cell]]] = kNone;
    }
  }
}

void CellLayout::write(SnapshotFileWriter& writer) && {
  writer.add("cells.model.u32", std::move(model_of_cell_));
  writer.add("cells.stack.u16", std::move(stack_of_cell_));
  writer.add("cells.model_starts.u32", std::move(model_starts_));
  writer.add("cells.by_stack.u32", std::move(by_stack_));
  writer.add("cells.stack_starts.u32", std::move(stack_starts_));
  writer.add("cells.next_library.u32", std::move(next_library_));
  for (std::size_t target = 0; target < has_next_compiler_.size(); ++target) {
    const auto words = has_next_compiler_[target].words();
    writer.add(fmt::format("cells.next_compiler.{}.bits", target), std::vector(words.begin(), words.end()));
  }
}

}  // namespace willitrun
