#include "hooks.h"

#include <algorithm>
#include <cstring>

#include <ATen/detail/PrivateUse1HooksInterface.h>
#include <c10/core/DeviceGuard.h>

#include "allocator.h"
#include "block.h"
#include "generator.h"
#include "pinned.h"
#include "runtime.h"

namespace neuron {
namespace {

int core_or_current(c10::DeviceIndex index) { return index < 0 ? Runtime::current_core() : index; }

class Hooks final : public at::PrivateUse1HooksInterface {
 public:
  bool isBuilt() const override { return true; }
  bool isAvailable() const override { return Runtime::instance().num_cores() > 0; }
  void init() const override { Runtime::instance().touch(Runtime::current_core()); }
  bool hasPrimaryContext(c10::DeviceIndex /*core*/) const override { return Runtime::instance().is_initialized(); }

  c10::DeviceIndex deviceCount() const override {
    return static_cast<c10::DeviceIndex>(Runtime::instance().num_cores());
  }
  c10::DeviceIndex getCurrentDevice() const override { return static_cast<c10::DeviceIndex>(Runtime::current_core()); }
  void setCurrentDevice(c10::DeviceIndex core) const override { Runtime::instance().set_current_core(core); }
  c10::DeviceIndex exchangeDevice(c10::DeviceIndex core) const override {
    const auto before = getCurrentDevice();
    if (core >= 0) setCurrentDevice(core);
    return before;
  }
  c10::DeviceIndex maybeExchangeDevice(c10::DeviceIndex core) const override { return exchangeDevice(core); }

  const at::Generator& getDefaultGenerator(c10::DeviceIndex core) const override {
    return default_generator(core_or_current(core));
  }
  at::Generator getNewGenerator(c10::DeviceIndex core) const override { return make_generator(core_or_current(core)); }

  at::Device getDeviceFromPtr(void* data) const override {
    const int core = core_of_block(data);
    TORCH_CHECK(core >= 0, "neuron: the pointer does not start a block of the device");
    return device_of(core);
  }
  bool isPinnedPtr(const void* data) const override { return is_pinned(data); }
  c10::Allocator* getPinnedMemoryAllocator() const override { return pinned_allocator(); }

  void resizePrivateUse1Bytes(const c10::Storage& storage, size_t nbytes) const override {
    c10::DeviceGuard on_its_core(storage.device());
    auto* impl = storage.unsafeGetStorageImpl();
    auto grown = device_allocator()->allocate(nbytes);
    const size_t kept = std::min(nbytes, impl->nbytes());
    if (kept > 0) std::memcpy(grown.get(), impl->data(), kept);
    impl->set_data_ptr_noswap(std::move(grown));
    impl->set_nbytes(nbytes);
  }
};

}  // namespace

void register_hooks() {
  // PyTorch keeps the pointer until the process ends.
  at::RegisterPrivateUse1HooksInterface(new Hooks);
}

}  // namespace neuron
