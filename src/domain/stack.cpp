#include "domain/stack.h"

#include <fmt/format.h>

namespace willitrun {

std::string short_name(const Stack& stack) {
  return fmt::format("{}/{}", stack.neuronx_cc.empty() ? "-" : stack.neuronx_cc, stack.library_version);
}

std::string canonical_text(const Stack& stack) {
  return fmt::format(
      "library={}\nlibrary_version={}\nneuronx_cc={}\nneuron_cc_flags={}\ntransformers={}\naccelerate={}\ntorch_"
      "neuronx={}\n"
      "torch={}\nnki={}\npython={}\nneuron_driver={}\n",
      stack.library, stack.library_version, stack.neuronx_cc, stack.neuron_cc_flags, stack.transformers,
      stack.accelerate, stack.torch_neuronx, stack.torch, stack.nki, stack.python, stack.neuron_driver);
}

}  // namespace willitrun
