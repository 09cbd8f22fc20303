#pragma once

#include <compare>
#include <string_view>

#include "domain/stack.h"

namespace willitrun {

/// Orders version texts as people read them: runs of digits by their number, everything else by its bytes, so that
/// `2.9` comes before `2.28.1+a` and `5.10.2` before `5.24.0`. A release comes after its own `rc`, `dev`, `a` and `b`
/// versions. An absent version (empty text) comes first.
std::strong_ordering compare_versions(std::string_view a, std::string_view b);

/// Tells whether `version` is `prefix` or a version below it: `2.28` covers `2.28` and `2.28.7631.0+1a`, not `2.280`.
bool version_is_within(std::string_view version, std::string_view prefix);

/// Orders stacks from old to new: by neuronx-cc, then Transformers, then the library, then torch-neuronx, torch and the
/// rest.
std::strong_ordering compare_stacks(const Stack& a, const Stack& b);

}  // namespace willitrun
