#pragma once

#include <array>
#include <optional>
#include <string>
#include <type_traits>

#include "base/time.h"
#include "domain/enum_text.h"

namespace willitrun {

/// Why a model is deliberately not tested.
enum class ExclusionKind {
  Priority,      ///< It could be tested; others come first.
  Incompatible,  ///< It cannot work here, whatever is tried.
};

constexpr auto enum_names(std::type_identity<ExclusionKind>) {
  return std::to_array<EnumName<ExclusionKind>>(
      {{ExclusionKind::Priority, "priority"}, {ExclusionKind::Incompatible, "incompatible"}});
}

/// A model, or a pattern of models, that is deliberately not tested. Shown with its reason wherever the model is shown.
struct Exclusion {
  std::string model;  ///< Hub id; `*` stands for any characters, so `*-GGUF` names all ids with that ending.
  ExclusionKind kind = ExclusionKind::Priority;
  std::string reason;
  std::string owner;            ///< Who answers for it.
  std::optional<Time> expires;  ///< From then on it no longer holds.
};

}  // namespace willitrun
