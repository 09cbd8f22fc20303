#pragma once

#include <c10/core/Allocator.h>

namespace neuron {

/// The allocator behind `Tensor.pin_memory()`: ordinary host memory that remembers being pinned.
c10::Allocator* pinned_allocator();

/// Whether `data` lies in a live allocation of pinned_allocator.
bool is_pinned(const void* data);

}  // namespace neuron
