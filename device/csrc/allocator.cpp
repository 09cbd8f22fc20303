#include "allocator.h"

#include <algorithm>

#include <c10/core/CPUAllocator.h>

#include "block.h"
#include "runtime.h"

namespace neuron {
namespace {

constexpr int kNoCore = -1;
thread_local int charged_core = kNoCore;

class DeviceMemory final : public c10::DeviceAllocator {
 public:
  c10::DataPtr allocate(size_t nbytes) override {
    const int core = Runtime::current_core();
    Runtime::instance().touch(core);
    void* data = allocate_block(nbytes, core);
    return {data, data, &free_block, device_of(core)};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &free_block; }
  void copy_data(void* to, const void* from, size_t nbytes) const override { default_copy_data(to, from, nbytes); }

  bool initialized() override { return Runtime::instance().is_initialized(); }
  // Nothing is cached and work is done when a call returns, so there is nothing to give back or to wait for.
  void emptyCache(c10::MempoolId_t /*pool*/) override {}
  void recordStream(const c10::DataPtr& /*data*/, c10::Stream /*stream*/) override {}

  c10::CachingDeviceAllocator::DeviceStats getDeviceStats(c10::DeviceIndex core) override {
    const auto account = Runtime::instance().ledger(core).snapshot();
    c10::CachingDeviceAllocator::DeviceStats stats;
    for (auto* bytes : {&stats.allocated_bytes, &stats.reserved_bytes, &stats.active_bytes, &stats.requested_bytes}) {
      (*bytes)[0].current = account.current_bytes;
      (*bytes)[0].peak = account.peak_bytes;
    }
    stats.allocation[0].allocated = account.num_allocations;
    stats.num_device_alloc = account.num_allocations;
    stats.num_ooms = account.num_refusals;
    return stats;
  }
  void resetAccumulatedStats(c10::DeviceIndex core) override { Runtime::instance().ledger(core).reset_counts(); }
  void resetPeakStats(c10::DeviceIndex core) override { Runtime::instance().ledger(core).reset_peak(); }
  std::pair<size_t, size_t> getMemoryInfo(c10::DeviceIndex core) override {
    const auto account = Runtime::instance().ledger(core).snapshot();
    const int64_t free_bytes = std::max<int64_t>(0, account.capacity_bytes - account.current_bytes);
    return {static_cast<size_t>(free_bytes), static_cast<size_t>(account.capacity_bytes)};
  }
};

class ChargingCpuMemory final : public c10::Allocator {
 public:
  explicit ChargingCpuMemory(c10::Allocator* host) : host_(host) {}

  c10::DataPtr allocate(size_t nbytes) override {
    if (charged_core == kNoCore) [[likely]]
      return host_->allocate(nbytes);
    void* data = allocate_block(nbytes, charged_core);
    return {data, data, &free_block, c10::Device(c10::DeviceType::CPU)};
  }
  // Raw memory is taken and returned within one kernel, so both halves of a pair see the same scope.
  c10::DeleterFnPtr raw_deleter() const override {
    return charged_core == kNoCore ? host_->raw_deleter() : &free_block;
  }
  void copy_data(void* to, const void* from, size_t nbytes) const override { default_copy_data(to, from, nbytes); }

 private:
  c10::Allocator* host_;
};

DeviceMemory device_memory;
REGISTER_ALLOCATOR(c10::DeviceType::PrivateUse1, &device_memory)

}  // namespace

c10::DeviceAllocator* device_allocator() { return &device_memory; }

ChargeScope::ChargeScope(int core) noexcept : previous_core_(charged_core) { charged_core = core; }
ChargeScope::~ChargeScope() { charged_core = previous_core_; }

void install_charging_cpu_allocator() {
  static auto* charging = new ChargingCpuMemory(c10::GetAllocator(c10::DeviceType::CPU));
  constexpr uint8_t kAboveDefault = 1;
  c10::SetCPUAllocator(charging, kAboveDefault);
}

bool is_charged(c10::DeleterFnPtr deleter) { return deleter == &free_block; }

}  // namespace neuron
