#pragma once

#include <array>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "analysis/history.h"
#include "domain/enum_text.h"
#include "lookup/snapshot.h"

namespace willitrun {

/// Which part of the stack changes along a line; the other one stays.
enum class Axis {
  Compiler,  ///< neuronx-cc changes, Transformers stays.
  Library,   ///< Transformers changes, neuronx-cc stays.
};

constexpr auto enum_names(std::type_identity<Axis>) {
  return std::to_array<EnumName<Axis>>({{Axis::Compiler, "neuronx-cc"}, {Axis::Library, "transformers"}});
}

/// A model's outcomes on stacks that differ in one part only.
struct StackLine {
  Axis axis = Axis::Compiler;
  std::string fixed;                   ///< The part that stays: `Transformers 5.24.0`.
  std::vector<StackOutcome> outcomes;  ///< Old to new; UNTESTED where the model has no result.
};

/// Returns the lines of all stacks that have a result on the target, of this or another model. Their outcomes point
/// into the snapshot.
std::vector<StackLine> stack_lines(const LookupSnapshot& snapshot, std::uint32_t target, ModelNumber model, Axis axis);

}  // namespace willitrun
