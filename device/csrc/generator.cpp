#include "generator.h"

#include <array>

#include <ATen/CPUGeneratorImpl.h>

#include "runtime.h"

namespace neuron {
namespace {

// Wraps a CPU generator: CPU kernels accept no other kind, and so the same seed gives the same numbers as on the CPU.
class NeuronGenerator final : public c10::GeneratorImpl {
 public:
  NeuronGenerator(int core, at::Generator inner)
      : GeneratorImpl(device_of(core), c10::DispatchKeySet(c10::DispatchKey::PrivateUse1)), inner_(std::move(inner)) {}

  const at::Generator& inner() const { return inner_; }

  void set_current_seed(uint64_t seed) override { inner_.set_current_seed(seed); }
  uint64_t current_seed() const override { return inner_.current_seed(); }
  uint64_t seed() override { return inner_.seed(); }
  void set_offset(uint64_t offset) override { inner_.set_offset(offset); }
  uint64_t get_offset() const override { return inner_.get_offset(); }
  void set_state(const c10::TensorImpl& state) override { inner_.unsafeGetGeneratorImpl()->set_state(state); }
  c10::intrusive_ptr<c10::TensorImpl> get_state() const override {
    return inner_.unsafeGetGeneratorImpl()->get_state();
  }

 private:
  NeuronGenerator* clone_impl() const override { return new NeuronGenerator(device_.index(), inner_.clone()); }

  at::Generator inner_;
};

}  // namespace

at::Generator make_generator(int core) {
  return at::make_generator<NeuronGenerator>(core, at::detail::createCPUGenerator(c10::default_rng_seed_val));
}

const at::Generator& default_generator(int core) {
  static auto* generators = [] {
    auto* all = new std::array<at::Generator, kMaxCores>;
    for (int i = 0; i < kMaxCores; ++i) (*all)[static_cast<size_t>(i)] = make_generator(i);
    return all;
  }();
  return generators->at(static_cast<size_t>(core));
}

at::Generator cpu_generator_of(const at::Generator& generator) { return generator.get<NeuronGenerator>()->inner(); }

}  // namespace neuron
