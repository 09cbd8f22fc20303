#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

#include "analysis/outcome.h"
#include "domain/enum_text.h"

namespace willitrun {

/// What became of a model from one stack to another.
enum class Change {
  Regressed,  ///< Passed, and does not any more.
  Fixed,      ///< Did not pass, and does now.
  SamePass,
  SameFail,       ///< Does not pass on either, for the same stage.
  MovedStage,     ///< Fails on both, in another stage.
  Flaky,          ///< Passes sometimes, on one of them or both: neither better nor worse can be said.
  Indeterminate,  ///< A side has no verdict, for reasons of the harness.
  NotComparable,  ///< Excluded on a side, a word of another system, or different files of the model.
  Added,          ///< Has a result on the second stack only.
  Removed,        ///< Has a result on the first stack only.
};

constexpr auto enum_names(std::type_identity<Change>) {
  using enum Change;
  return std::to_array<EnumName<Change>>({{Regressed, "regressed"},
                                          {Fixed, "fixed"},
                                          {SamePass, "same_pass"},
                                          {SameFail, "same_fail"},
                                          {MovedStage, "moved_stage"},
                                          {Flaky, "flaky"},
                                          {Indeterminate, "indeterminate"},
                                          {NotComparable, "not_comparable"},
                                          {Added, "added"},
                                          {Removed, "removed"}});
}

constexpr std::size_t kNumChanges = 10;

/// Decides what became of a model. UNTESTED stands for no result; nothing when neither side has one. A model that is
/// too large counts as one that fails before it is loaded. When the verdicts differ and the model's files do too, the
/// stacks are not what made the difference.
std::optional<Change> change_between(const Outcome& before, const Outcome& after);

/// A model that is not the same on both stacks.
struct ChangedModel {
  Change change = Change::Regressed;
  Outcome before;
  Outcome after;
};

/// Two stacks side by side.
class Comparison {
 public:
  /// Makes room for so many models that are not the same; there may be more.
  void reserve(std::size_t num_changed) { changed_.reserve(num_changed); }

  /// Adds a model's two outcomes.
  void add(const Outcome& before, const Outcome& after);

  /// Adds a model that is known to be the same on both: Change::SamePass or SameFail.
  void add_same(Change change, std::int64_t downloads) { count(change, downloads); }

  /// Number of models of a class, and their downloads.
  std::uint64_t num_models(Change change) const { return num_models_[static_cast<std::size_t>(change)]; }
  std::int64_t downloads(Change change) const { return downloads_[static_cast<std::size_t>(change)]; }

  /// Models that have a result on both stacks.
  std::uint64_t num_compared() const;

  /// Share of the compared models about which nothing can be said, between 0 and 1. To be shown with every comparison:
  /// a clean one with a large share is not clean.
  double indeterminate_share() const;

  /// Every model but those of same_pass and same_fail, in the order in which they were added.
  const std::vector<ChangedModel>& changed() const { return changed_; }

 private:
  void count(Change change, std::int64_t downloads) {
    ++num_models_[static_cast<std::size_t>(change)];
    downloads_[static_cast<std::size_t>(change)] += downloads;
  }

  std::array<std::uint64_t, kNumChanges> num_models_{};
  std::array<std::int64_t, kNumChanges> downloads_{};
  std::vector<ChangedModel> changed_;
};

}  // namespace willitrun
