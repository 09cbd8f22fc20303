#include "startup.h"

#include "allocator.h"
#include "hooks.h"
#include "operator_kernel.h"
#include "runtime.h"

namespace neuron {

void start_device(int num_cores, int64_t capacity_bytes) {
  Runtime::instance().configure(num_cores, capacity_bytes);
  static const bool is_first = [] {
    register_hooks();
    register_cpu_kernels();
    install_charging_cpu_allocator();
    return true;
  }();
  static_cast<void>(is_first);
}

}  // namespace neuron
