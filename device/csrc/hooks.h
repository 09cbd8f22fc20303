#pragma once

namespace neuron {

/// Tells PyTorch how to ask this device for generators, devices and pinned memory. Call once per process.
void register_hooks();

}  // namespace neuron
