#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "domain/plan.h"

namespace willitrun {

/// What scripts must write differently for one version of Transformers.
struct Dialect {
  std::string_view transformers;
  std::string_view cache_field;  ///< Where the output of generate() holds the KV cache.
  bool keeps_cache;              ///< generate() keeps a static cache in the model and uses it again.
  bool late_hooks;               ///< Hooks of a vision tower are installed in the first call, which cannot be compiled.
  bool is_sharded_as_dtensor;    ///< Sharded parameters are DTensors, which know their whole size.
  /// Python statements that make `where` the arguments of from_pretrained() for each mode; empty: not offered.
  std::string_view tp, ep, tp_ep;
};

/// Returns the dialect of exactly that version, or nothing.
std::optional<Dialect> find_dialect(std::string_view transformers);

/// Returns the statements that shard a model in `mode`; empty for Single and for modes that the version lacks.
std::string_view sharding_statements(const Dialect& dialect, Mode mode);

/// Returns the versions that have a dialect, separated by commas.
std::string known_versions();

}  // namespace willitrun
