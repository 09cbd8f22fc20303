// What PyTorch's device guard, streams and events ask of a device.

#include <chrono>

#include <c10/core/impl/DeviceGuardImplInterface.h>

#include "runtime.h"
#include "stream.h"

namespace neuron {
namespace {

using Clock = std::chrono::steady_clock;

struct Event {
  Clock::time_point recorded_at;
  bool has_timing = false;
};

class Guard final : public c10::impl::DeviceGuardImplInterface {
 public:
  c10::DeviceType type() const override { return kDeviceType; }
  c10::Device getDevice() const override { return device_of(Runtime::current_core()); }
  c10::Device exchangeDevice(c10::Device device) const override {
    const auto before = getDevice();
    setDevice(device);
    return before;
  }
  void setDevice(c10::Device device) const override { Runtime::instance().set_current_core(device.index()); }
  void uncheckedSetDevice(c10::Device device) const noexcept override {
    if (device.has_index()) Runtime::set_current_core_unchecked(device.index());
  }
  c10::DeviceIndex deviceCount() const noexcept override {
    return static_cast<c10::DeviceIndex>(Runtime::instance().num_cores());
  }

  c10::Stream getStream(c10::Device device) const override { return current_stream(core_of(device)); }
  c10::Stream getDefaultStream(c10::Device device) const override {
    return c10::Stream(c10::Stream::DEFAULT, device_of(core_of(device)));
  }
  c10::Stream getStreamFromGlobalPool(c10::Device device, bool /*high_priority*/) const override {
    return new_stream(core_of(device));
  }
  c10::Stream getNewStream(c10::Device device, int /*priority*/) const override { return new_stream(core_of(device)); }
  c10::Stream exchangeStream(c10::Stream stream) const override { return exchange_stream(stream); }
  bool queryStream(const c10::Stream& /*stream*/) const override { return true; }
  void synchronizeStream(const c10::Stream& /*stream*/) const override {}
  void synchronizeDevice(c10::DeviceIndex core) const override { Runtime::instance().touch(core); }

  void record(void** event, const c10::Stream& /*stream*/, c10::DeviceIndex /*core*/,
              c10::EventFlag flag) const override {
    if (*event == nullptr) *event = new Event;
    *static_cast<Event*>(*event) = {Clock::now(), flag == c10::EventFlag::BACKEND_DEFAULT};
  }
  void block(void* /*event*/, const c10::Stream& /*stream*/) const override {}
  bool queryEvent(void* /*event*/) const override { return true; }
  void synchronizeEvent(void* /*event*/) const override {}
  void destroyEvent(void* event, c10::DeviceIndex /*core*/) const noexcept override {
    delete static_cast<Event*>(event);
  }
  double elapsedTime(void* first, void* second, c10::DeviceIndex /*core*/) const override {
    TORCH_CHECK(first != nullptr && second != nullptr,
                "neuron: both events must be recorded before their times differ");
    const auto& from = *static_cast<Event*>(first);
    const auto& to = *static_cast<Event*>(second);
    TORCH_CHECK(from.has_timing && to.has_timing, "neuron: both events must be made with enable_timing=True");
    return std::chrono::duration<double, std::milli>(to.recorded_at - from.recorded_at).count();
  }

 private:
  static int core_of(c10::Device device) { return device.has_index() ? device.index() : Runtime::current_core(); }
};

C10_REGISTER_GUARD_IMPL(PrivateUse1, Guard)

}  // namespace
}  // namespace neuron
