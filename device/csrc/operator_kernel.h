#pragma once

#include <ATen/core/dispatch/Dispatcher.h>

namespace neuron {

/// The kernel of every operator of the device that has none of its own: runs the CPU kernel on the same bytes, after
/// checking that all tensors are where the operator needs them. Allocations are charged to the arguments' core.
void run_on_cpu_kernel(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack);

/// Registers run_on_cpu_kernel for each operator that has a kernel for the CPU and none for this device. PyTorch would
/// otherwise compose many of them from smaller operators, which costs time and computes in another order than the CPU.
void register_cpu_kernels();

}  // namespace neuron
