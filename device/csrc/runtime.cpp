#include "runtime.h"

#include <pthread.h>

#include <c10/util/Exception.h>

namespace neuron {

thread_local int Runtime::current_core_ = kNotSet;

Runtime& Runtime::instance() {
  // Never destroyed: tensors that outlive the interpreter still return their memory.
  static auto* runtime = [] {
    pthread_atfork(nullptr, nullptr, &Runtime::after_fork_in_child);
    return new Runtime;
  }();
  return *runtime;
}

void Runtime::configure(int num_cores, int64_t capacity_bytes) {
  TORCH_CHECK(num_cores >= 0 && num_cores <= kMaxCores, "neuron: the number of cores must be 0 to ", kMaxCores,
              ", not ", num_cores);
  TORCH_CHECK(capacity_bytes >= 0, "neuron: a core's capacity cannot be negative: ", capacity_bytes);
  num_cores_ = num_cores;
  for (auto& ledger : ledgers_) ledger.set_capacity(capacity_bytes);
}

void Runtime::require_core(int core) const {
  TORCH_CHECK(core >= 0 && core < num_cores(), "neuron: invalid device ordinal ", core, " (", num_cores(),
              " NeuronCores visible)");
}

void Runtime::set_current_core(int core) {
  require_core(core);
  current_core_ = core;
}

void Runtime::own_only(int core) {
  require_core(core);
  owned_core_ = core;
  current_core_ = core;
  touch(core);
}

void Runtime::touch_slow(int core) {
  TORCH_CHECK(!is_forked(),
              "Cannot re-initialize the Neuron runtime in a forked subprocess. To use neuron with multiprocessing, "
              "you must use the 'spawn' start method");
  require_core(core);
  const int owned = owned_core();
  TORCH_CHECK(owned < 0 || owned == core, "neuron:", core,
              " belongs to another process: in a process group each process owns one core, that of its local rank (",
              owned, ")");
  state_.store(State::Ready, std::memory_order_release);
}

void Runtime::after_fork_in_child() {
  auto& state = instance().state_;
  if (state.load() == State::Ready) state.store(State::Forked);
}

}  // namespace neuron
