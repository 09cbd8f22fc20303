#pragma once

#include <cstddef>

namespace neuron {

/// Every allocation is rounded up to this many bytes and starts at a multiple of it.
inline constexpr size_t kBlockAlignment = 64;

/// Takes `nbytes` of host memory and charges them, rounded up to kBlockAlignment, to `core`. Zero bytes give nullptr.
/// Throws c10::OutOfMemoryError in the words of the Neuron allocator when the core is full.
void* allocate_block(size_t nbytes, int core);

/// Returns a block of allocate_block to its core; nullptr is allowed. Has the signature of a c10 deleter.
void free_block(void* data);

/// The core that a block of allocate_block is charged to, or -1 when `data` is none.
int core_of_block(const void* data);

}  // namespace neuron
