#pragma once

#include <span>
#include <string_view>

namespace willitrun {

/// What must hold beside the pattern for a rule to match.
enum class RuleCondition {
  None,
  StackPackage,       ///< The captured package belongs to the stack, so that the host lacks it.
  OtherPackage,       ///< It does not, so that the model asks for an extra package.
  OwnCode,            ///< No code that came with the model is in the text (`transformers_modules`).
  ModelCode,          ///< Some is.
  Sharded,            ///< The run was sharded, or nothing is known about it.
  ExpertText,         ///< The text speaks of experts.
  CompilerText,       ///< The text speaks of neuronx-cc, and the run is not known to have been elsewhere.
  WholeFactorShapes,  ///< The four captured sizes are those of a tensor and of a whole-number part of it.
};

/// In place of a class: the captured code decides (device_codes.h).
constexpr std::string_view kByNccUserCode = "@ncc-e";      ///< A word after `NCC_E`.
constexpr std::string_view kByNccInternalCode = "@ncc-i";  ///< A word after `NCC_I`.
constexpr std::string_view kByNrtStatus = "@nrt";          ///< A number.

/// One line of the rule table. `failure_class` is a word of domain/failure.h, or one of the three above.
struct FailureRule {
  std::string_view failure_class;
  std::string_view pattern;  ///< See line_pattern.h.
  RuleCondition condition = RuleCondition::None;
};

/// Texts that say why something failed; the first that matches wins.
std::span<const FailureRule> cause_rules();

/// Texts that say that something failed, but not why; asked when no cause is found.
std::span<const FailureRule> symptom_rules();

/// How people describe a failure in their own words: titles of issues, notes of other systems. Neither these nor places
/// are asked about a run of ours: its log may hold any words, and its marks say where it was.
std::span<const FailureRule> prose_rules();

/// Names of parts that were at work, which tell at least where it failed; asked last.
std::span<const FailureRule> place_rules();

}  // namespace willitrun
