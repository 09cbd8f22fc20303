#pragma once

#include <ATen/core/Generator.h>

namespace neuron {

/// The default random generator of `core`; lives as long as the process.
const at::Generator& default_generator(int core);

/// A new generator of device `neuron:<core>` with PyTorch's default seed.
at::Generator make_generator(int core);

/// The CPU generator that does the work of `generator`, which must be one of ours.
at::Generator cpu_generator_of(const at::Generator& generator);

}  // namespace neuron
