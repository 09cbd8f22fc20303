#pragma once

#include <string>

namespace willitrun {

/// The exact set of versions of a run. An empty text means that the part is absent (no neuronx-cc on the cpu target).
struct Stack {
  std::string library = "transformers";
  std::string library_version;
  std::string neuronx_cc;
  std::string neuron_cc_flags;  ///< NEURON_CC_FLAGS changes results, so it belongs to the stack.
  std::string transformers;
  std::string accelerate;
  std::string torch_neuronx;
  std::string torch;
  std::string nki;
  std::string python;
  std::string neuron_driver;

  bool operator==(const Stack&) const = default;
};

/// Names a stack for people and for `compare`: `2.28.7631.0/5.24.0` (neuronx-cc / Transformers), `-/5.24.0` without a
/// compiler.
std::string short_name(const Stack& stack);

/// Writes every field in a fixed order, one `name=value` per line: the input of digests.
std::string canonical_text(const Stack& stack);

}  // namespace willitrun
