#pragma once

#include <c10/core/CachingDeviceAllocator.h>

namespace neuron {

/// The allocator of device `neuron`: host memory, charged to the current core's ledger.
c10::DeviceAllocator* device_allocator();

/// While alive, every CPU allocation of this thread is charged to `core`: temporaries of CPU kernels and buffers of
/// compiled graphs are device memory of the emulated core.
class ChargeScope {
 public:
  explicit ChargeScope(int core) noexcept;
  ~ChargeScope();
  ChargeScope(const ChargeScope&) = delete;
  ChargeScope& operator=(const ChargeScope&) = delete;

 private:
  int previous_core_;
};

/// Puts the charging allocator in front of PyTorch's CPU allocator; a thread outside a ChargeScope does not notice.
void install_charging_cpu_allocator();

/// Whether `deleter` frees a block that is charged to a core.
bool is_charged(c10::DeleterFnPtr deleter);

}  // namespace neuron
