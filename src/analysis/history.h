#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/outcome.h"

namespace willitrun {

/// A model's outcome on one stack of a line of stacks. An outcome with the verdict UNTESTED is no result.
struct StackOutcome {
  std::string stack;  ///< The stack's short name.
  Outcome outcome;
};

/// A run of equal outcomes on neighbouring stacks: where it begins is a transition.
struct Transition {
  std::string first_stack;
  std::string last_stack;
  std::size_t num_results = 0;
  Outcome outcome;  ///< The first one's. FAIL outcomes are equal when stage and class are.
};

/// What happened to a model from stack to stack.
///
/// Only conclusive results count: PASS, FAIL, TOO_LARGE and FLAKY. "Works since" is where the unbroken run of PASS that
/// reaches the newest result begins; it is never the newest result itself unless the one before did not pass.
struct History {
  std::vector<Transition> transitions;     ///< Old to new.
  std::size_t num_inconclusive = 0;        ///< Results that say nothing about the model.
  std::optional<std::string> works_since;  ///< Set when the newest result passes.
  bool since_first_result = false;       ///< The run of PASS begins with the oldest result: it may have worked before.
  std::optional<std::string> last_good;  ///< Set when the newest result does not pass but an older one did.
  std::optional<std::string> first_bad;  ///< The result after last_good.
};

/// Tells whether an outcome says something about the model on that stack.
bool is_conclusive(const Outcome& outcome);

/// Reads a history from outcomes, old to new.
History history_of(std::span<const StackOutcome> outcomes);

/// Where between two stacks a model broke.
struct Bisection {
  std::optional<std::string> last_good;
  std::optional<std::string> first_bad;  ///< Both are set when an older result passes and the newest does not.
  std::vector<std::string> between;      ///< Stacks between them without a conclusive result, old to new.
  std::optional<std::string> next;       ///< The stack to test next: halves `between`. Nothing when it is empty.
};

/// Bisects the newest change from PASS to something else. `outcomes` names every stack of the line, old to new, also
/// those that the model was not tested on.
Bisection bisect(std::span<const StackOutcome> outcomes);

}  // namespace willitrun
