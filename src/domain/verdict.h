#pragma once

#include <array>
#include <type_traits>

#include "domain/enum_text.h"

namespace willitrun {

/// What the attempts say about (model, stack, target).
enum class Verdict { Pass, Fail, TooLarge, Excluded, Untested, Flaky, Indeterminate };

constexpr auto enum_names(std::type_identity<Verdict>) {
  using enum Verdict;
  return std::to_array<EnumName<Verdict>>({{Pass, "PASS"},
                                           {Fail, "FAIL"},
                                           {TooLarge, "TOO_LARGE"},
                                           {Excluded, "EXCLUDED"},
                                           {Untested, "UNTESTED"},
                                           {Flaky, "FLAKY"},
                                           {Indeterminate, "INDETERMINATE"}});
}

/// What ties a PASS to the reference, strongest first.
enum class Evidence {
  Tokens,   ///< All tokens equal the reference's.
  NearTie,  ///< They part where the reference's two best tokens are closer than the tolerance, and logits agree from
            ///< there on.
  Logits,   ///< Teacher-forced logits are within the tolerance.
  Fluent,   ///< A judge model calls the text fluent English. Fluent is not correct.
  None,
};

constexpr auto enum_names(std::type_identity<Evidence>) {
  using enum Evidence;
  return std::to_array<EnumName<Evidence>>(
      {{Tokens, "tokens"}, {NearTie, "near_tie"}, {Logits, "logits"}, {Fluent, "fluent"}, {None, "none"}});
}

}  // namespace willitrun
