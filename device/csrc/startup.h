#pragma once

#include <cstdint>

namespace neuron {

/// Makes device `neuron` known to PyTorch in this process, with so many cores of so many bytes. Called again it changes
/// only the cores, which is for tests.
void start_device(int num_cores, int64_t capacity_bytes);

}  // namespace neuron
