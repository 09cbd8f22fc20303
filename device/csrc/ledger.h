#pragma once

#include <atomic>
#include <cstdint>

namespace neuron {

/// Figures of one core's memory account at one moment, in bytes and counts.
struct LedgerSnapshot {
  int64_t current_bytes = 0;
  int64_t peak_bytes = 0;
  int64_t capacity_bytes = 0;
  int64_t num_allocations = 0;
  int64_t num_refusals = 0;
};

/// Keeps the memory account of one logical core: bytes in use, their peak, and a capacity that is never exceeded.
/// Thread safe without locks; a charge either fits whole or changes nothing but the count of refusals.
class MemoryLedger {
 public:
  /// Sets the capacity. Bytes already in use stay, even beyond it.
  void set_capacity(int64_t bytes) noexcept { capacity_.store(bytes, std::memory_order_relaxed); }

  /// Adds `bytes` to what is in use; false when they do not fit.
  bool try_charge(int64_t bytes) noexcept {
    int64_t before = current_.load(std::memory_order_relaxed);
    do {
      if (bytes > capacity_.load(std::memory_order_relaxed) - before) {
        refusals_.fetch_add(1, std::memory_order_relaxed);
        return false;
      }
    } while (!current_.compare_exchange_weak(before, before + bytes, std::memory_order_relaxed));
    allocations_.fetch_add(1, std::memory_order_relaxed);
    raise_peak(before + bytes);
    return true;
  }

  /// Takes `bytes`, charged before, out of what is in use.
  void release(int64_t bytes) noexcept { current_.fetch_sub(bytes, std::memory_order_relaxed); }

  /// Lets the peak start again at what is in use now.
  void reset_peak() noexcept { peak_.store(current_.load(std::memory_order_relaxed), std::memory_order_relaxed); }

  /// Starts the counts of allocations and refusals again at zero.
  void reset_counts() noexcept {
    allocations_.store(0, std::memory_order_relaxed);
    refusals_.store(0, std::memory_order_relaxed);
  }

  /// Reads every figure; figures that other threads change meanwhile may be a charge apart.
  LedgerSnapshot snapshot() const noexcept {
    return {current_.load(std::memory_order_relaxed), peak_.load(std::memory_order_relaxed),
            capacity_.load(std::memory_order_relaxed), allocations_.load(std::memory_order_relaxed),
            refusals_.load(std::memory_order_relaxed)};
  }

 private:
  void raise_peak(int64_t candidate) noexcept {
    int64_t seen = peak_.load(std::memory_order_relaxed);
    while (candidate > seen && !peak_.compare_exchange_weak(seen, candidate, std::memory_order_relaxed)) {
    }
  }

  std::atomic<int64_t> current_{0};
  std::atomic<int64_t> peak_{0};
  std::atomic<int64_t> capacity_{0};
  std::atomic<int64_t> allocations_{0};
  std::atomic<int64_t> refusals_{0};
};

}  // namespace neuron
