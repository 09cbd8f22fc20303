#include "operator_kernel.h"

#include <torch/library.h>

#include "allocator.h"
#include "crossing.h"
#include "faults.h"
#include "generator.h"
#include "operator_info.h"
#include "runtime.h"

namespace neuron {
namespace {

const c10::DispatchKeySet kCpuKeys(c10::DispatchKey::CPU);

[[noreturn]] void refuse_mixed_devices(const Crossing& crossing, const OperatorInfo& info) {
  const std::string other = crossing.has_two_cores() ? "another neuron device" : "cpu";
  TORCH_CHECK(false,
              "Expected all tensors to be on the same device, but found at least two devices, neuron:", crossing.core(),
              " and ", other, "! (when checking the arguments of ", info.name, ")");
}

// A kernel that reads the same bytes would silently accept tensors of the host; the real device cannot.
void require_one_device(const Crossing& crossing, const OperatorInfo& info) {
  bool is_mixed = crossing.has_two_cores();
  if (crossing.has_device_tensor()) {
    is_mixed |= crossing.has_host_tensor();
    is_mixed |= crossing.has_host_scalar() && info.host_tensors == HostTensors::None;
    is_mixed |= crossing.has_host_index() && info.host_tensors != HostTensors::OnlyIndices;
  }
  if (is_mixed) [[unlikely]]
    refuse_mixed_devices(crossing, info);
}

void enter_arguments(Crossing& crossing, const OperatorInfo& info, torch::jit::Stack& stack) {
  const size_t first = stack.size() - info.writes.size();
  for (size_t i = 0; i < info.writes.size(); ++i) crossing.enter(stack[first + i], info.writes[i]);
  require_one_device(crossing, info);
  if (info.generator_argument < 0) return;
  auto& generator = stack[first + static_cast<size_t>(info.generator_argument)];
  if (generator.isNone()) generator = cpu_generator_of(default_generator(crossing.core()));
}

void call_cpu_kernel(const c10::OperatorHandle& op, int core, torch::jit::Stack* stack) {
  ChargeScope charged_to_core(core);
  op.redispatchBoxed(kCpuKeys, stack);
}

}  // namespace

void run_on_cpu_kernel(const c10::OperatorHandle& op, c10::DispatchKeySet /*keys*/, torch::jit::Stack* stack) {
  auto& info = info_of(op);
  OperatorLog::instance().note(info);
  const Fault* fault = nullptr;
  if (FaultPlan::instance().armed()) [[unlikely]]
    fault = FaultPlan::instance().due(info.name, info.fault_counter);
  if (fault != nullptr) [[unlikely]]
    strike_before(*fault);

  Crossing crossing;
  enter_arguments(crossing, info, *stack);
  Runtime::instance().touch(crossing.core());
  call_cpu_kernel(op, crossing.core(), stack);
  if (info.writes_any) crossing.carry_back_writes();
  const size_t num_results = op.schema().returns().size();
  for (size_t i = stack->size() - num_results; i < stack->size(); ++i) crossing.leave((*stack)[i]);

  if (fault != nullptr) [[unlikely]]
    strike_after(*fault, *stack, num_results);
}

void register_cpu_kernels() {
  auto& dispatcher = c10::Dispatcher::singleton();
  static torch::Library library(torch::Library::IMPL, "aten", c10::DispatchKey::PrivateUse1, __FILE__, __LINE__);
  for (const auto& name : dispatcher.getRegistrationsForDispatchKey(c10::DispatchKey::CPU)) {
    if (name.getNamespace() != "aten") continue;
    const auto op = dispatcher.findOp(name);
    if (!op || op->hasKernelForDispatchKey(c10::DispatchKey::PrivateUse1)) continue;
    library.impl(c10::toString(name).c_str(), torch::CppFunction::makeFromBoxedFunction<&run_on_cpu_kernel>());
  }
}

TORCH_LIBRARY_IMPL(_, PrivateUse1, library) {
  library.fallback(torch::CppFunction::makeFromBoxedFunction<&run_on_cpu_kernel>());
}

}  // namespace neuron
