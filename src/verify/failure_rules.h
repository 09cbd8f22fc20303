#pragma once

#include <array>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/result.h"
#include "domain/enum_text.h"

namespace willitrun {

/// The sections of the rule file, in the order in which they are asked.
enum class RuleKind {
  Cause,    ///< Texts that say why something failed.
  Symptom,  ///< Texts that say that something failed, but not why.
  Prose,    ///< How people describe a failure in their own words: titles of issues, notes of other systems.
  Place,    ///< Names of parts that were at work, which tell at least where it failed.
  Topic,    ///< What a text is about.
};

constexpr auto enum_names(std::type_identity<RuleKind>) {
  using enum RuleKind;
  return std::to_array<EnumName<RuleKind>>(
      {{Cause, "causes"}, {Symptom, "symptoms"}, {Prose, "prose"}, {Place, "places"}, {Topic, "topics"}});
}

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
  OfflineTokenizer,   ///< A run without a network was reading a tokenizer or processor.
  OfflineConfig,      ///< A run without a network was reading a config.
  WholeFactorShapes,  ///< The four captured sizes are those of a tensor and of a whole-number part of it.
};

constexpr auto enum_names(std::type_identity<RuleCondition>) {
  using enum RuleCondition;
  return std::to_array<EnumName<RuleCondition>>({{None, ""},
                                                 {StackPackage, "stack_package"},
                                                 {OtherPackage, "other_package"},
                                                 {OwnCode, "own_code"},
                                                 {ModelCode, "model_code"},
                                                 {Sharded, "sharded"},
                                                 {ExpertText, "expert_text"},
                                                 {CompilerText, "compiler_text"},
                                                 {OfflineTokenizer, "offline_tokenizer"},
                                                 {OfflineConfig, "offline_config"},
                                                 {WholeFactorShapes, "whole_factor_shapes"}});
}

/// In place of a class: the captured code decides (device_codes.h).
constexpr std::string_view kByNccUserCode = "ncc_e";      ///< A word after `NCC_E`.
constexpr std::string_view kByNccInternalCode = "ncc_i";  ///< A word after `NCC_I`.
constexpr std::string_view kByNrtStatus = "nrt";          ///< A number.

/// One line of the rule file. `failure_class` is a word of domain/failure.h, or one of the three above.
struct FailureRule {
  RuleKind kind = RuleKind::Cause;
  std::string_view failure_class;
  RuleCondition condition = RuleCondition::None;
  std::string_view pattern;  ///< See line_pattern.h.
};

/// Reads a rule file (its own head says how it is written); the rules point into `text`. Corruption names the line that
/// is not a rule, or whose class or condition is unknown.
Result<std::vector<FailureRule>> parse_failure_rules(std::string_view text);

/// failure_rules.txt, which is built into the program.
extern const std::string_view kFailureRules;

}  // namespace willitrun
