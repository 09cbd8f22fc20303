#pragma once

// The emulated Neuron runtime of one process: how many logical cores there are, which one a thread uses, when the
// process first touched the device, and whose memory is charged. PyTorch's hooks (guard, allocator, operators) are
// called without any context of ours, so this state is process-wide by necessity; it lives in one object, here.

#include <array>
#include <atomic>

#include <c10/core/Device.h>

#include "ledger.h"

namespace neuron {

inline constexpr c10::DeviceType kDeviceType = c10::DeviceType::PrivateUse1;
/// Four Trainium2 devices have 16 logical cores; a trn2.48xlarge has 64.
inline constexpr int kMaxCores = 64;

/// The device `neuron:<core>`.
inline c10::Device device_of(int core) { return {kDeviceType, static_cast<c10::DeviceIndex>(core)}; }

/// Process-wide state of the emulated device. Thread safe.
class Runtime {
 public:
  /// The one runtime of this process.
  static Runtime& instance();

  /// Sets the number of cores and the capacity of each. Call before the first touch.
  void configure(int num_cores, int64_t capacity_bytes);

  int num_cores() const noexcept { return num_cores_.load(std::memory_order_relaxed); }

  /// The core that this thread uses when none is named: the one it set, else the process's own, else the first.
  static int current_core() noexcept {
    if (current_core_ != kNotSet) [[likely]]
      return current_core_;
    const int owned = owned_core_.load(std::memory_order_relaxed);
    return owned == kNotSet ? 0 : owned;
  }

  /// Makes `core` this thread's own; throws when there is no such core. Does not touch the device.
  void set_current_core(int core);

  /// As set_current_core, for callers that must not throw and have checked the index.
  static void set_current_core_unchecked(int core) noexcept { current_core_ = core; }

  /// Marks the first use of the device. Throws in a process that was forked after its parent's first use, for a core
  /// that does not exist, and for a core that another rank of the process group owns.
  void touch(int core) {
    if (state_.load(std::memory_order_acquire) == State::Ready && may_use(core)) [[likely]]
      return;
    touch_slow(core);
  }

  bool is_initialized() const noexcept { return state_.load(std::memory_order_acquire) == State::Ready; }
  bool is_forked() const noexcept { return state_.load(std::memory_order_acquire) == State::Forked; }

  /// Takes `core`: from here on this process has it and no other, as a rank of a process group does. Touches the
  /// device.
  void own_only(int core);

  /// The core that a process group gave to this process, or -1.
  static int owned_core() noexcept { return owned_core_.load(std::memory_order_relaxed); }

  MemoryLedger& ledger(int core) { return ledgers_.at(static_cast<size_t>(core)); }

 private:
  enum class State { Untouched, Ready, Forked };

  Runtime() = default;
  bool may_use(int core) const noexcept {
    const int owned = owned_core_.load(std::memory_order_relaxed);
    return core >= 0 && core < num_cores() && (owned < 0 || owned == core);
  }
  void touch_slow(int core);
  void require_core(int core) const;
  static void after_fork_in_child();

  static constexpr int kNotSet = -1;
  static thread_local int current_core_;
  inline static std::atomic<int> owned_core_{kNotSet};
  std::atomic<State> state_{State::Untouched};
  std::atomic<int> num_cores_{1};
  std::array<MemoryLedger, kMaxCores> ledgers_;
};

}  // namespace neuron
