// Operators that the device implements itself: memory, views, copies between devices, and the few that CPU kernels
// refuse although accelerators have them.

#include <ATen/EmptyTensor.h>
#include <ATen/ops/_reshape_alias_native.h>
#include <ATen/ops/as_strided_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/set_native.h>
#include <ATen/ops/view_native.h>
#include <c10/core/DeviceGuard.h>
#include <torch/library.h>

#include "allocator.h"
#include "operator_kernel.h"
#include "runtime.h"
#include "view.h"

namespace neuron {
namespace {

const c10::DispatchKeySet kDeviceKeys(c10::DispatchKey::PrivateUse1);

c10::Device with_index(std::optional<c10::Device> device) {
  return device && device->has_index() ? *device : device_of(Runtime::current_core());
}

at::Tensor empty(c10::IntArrayRef sizes, std::optional<at::ScalarType> dtype, std::optional<at::Layout> /*layout*/,
                 std::optional<c10::Device> device, std::optional<bool> /*pinned*/,
                 std::optional<at::MemoryFormat> format) {
  c10::DeviceGuard on_its_core(with_index(device));
  return at::detail::empty_generic(sizes, device_allocator(), kDeviceKeys, c10::dtype_or_default(dtype), format);
}

at::Tensor empty_strided(c10::IntArrayRef sizes, c10::IntArrayRef strides, std::optional<at::ScalarType> dtype,
                         std::optional<at::Layout> /*layout*/, std::optional<c10::Device> device,
                         std::optional<bool> /*pinned*/) {
  c10::DeviceGuard on_its_core(with_index(device));
  return at::detail::empty_strided_generic(sizes, strides, device_allocator(), kDeviceKeys,
                                           c10::dtype_or_default(dtype));
}

// Between host and device or two cores. Conjugated and negated views arrive as they are, and stay so as CPU tensors.
at::Tensor& copy(at::Tensor& target, const at::Tensor& source, bool /*non_blocking*/) {
  const auto& on_device = target.is_privateuseone() ? target : source;
  ChargeScope charged_to_core(on_device.device().index());
  cpu_view(target).copy_(cpu_view(source));
  return target;
}

at::Scalar local_scalar(const at::Tensor& tensor) { return cpu_view(tensor).item(); }

at::Tensor& set_storage(at::Tensor& self, c10::Storage source, c10::SymInt offset, c10::SymIntArrayRef sizes,
                        c10::SymIntArrayRef strides) {
  c10::DeviceGuard on_its_core(self.device());
  return at::native::set_storage_cpu_(self, std::move(source), offset.expect_int(), C10_AS_INTARRAYREF_SLOW(sizes),
                                      C10_AS_INTARRAYREF_SLOW(strides));
}

at::Tensor& set_empty(at::Tensor& self) {
  c10::DeviceGuard on_its_core(self.device());
  return at::native::set_cpu_(self);
}

// Transformers counts routed tokens with histc on int32 on every device type but the CPU, whose kernel takes floats
// only.
at::Tensor count_bins(const at::Tensor& self, int64_t bins, const at::Scalar& lowest, const at::Scalar& highest) {
  ChargeScope charged_to_core(self.device().index());
  const auto values = cpu_view(self);
  const bool is_float = values.is_floating_point();
  auto counts = (is_float ? values : values.to(at::kDouble)).histc(bins, lowest, highest);
  return adopt(counts.to(self.scalar_type()), self.device().index());
}

at::Tensor& count_bins_out(const at::Tensor& self, int64_t bins, const at::Scalar& lowest, const at::Scalar& highest,
                           at::Tensor& out) {
  const auto counts = count_bins(self, bins, lowest, highest);
  return out.resize_(counts.sizes()).copy_(counts);
}

TORCH_LIBRARY_IMPL(aten, PrivateUse1, library) {
  library.impl("empty.memory_format", empty);
  library.impl("empty_strided", empty_strided);
  library.impl("as_strided", at::native::as_strided_tensorimpl);
  library.impl("view", static_cast<at::Tensor (*)(const at::Tensor&, c10::IntArrayRef)>(at::native::view));
  library.impl("_reshape_alias", static_cast<at::Tensor (*)(const at::Tensor&, c10::IntArrayRef, c10::IntArrayRef)>(
                                     at::native::_reshape_alias));
  library.impl("copy_", copy);
  library.impl("_local_scalar_dense", local_scalar);
  library.impl("set_.source_Storage_storage_offset", set_storage);
  library.impl("set_.source_Storage", static_cast<at::Tensor& (*)(at::Tensor&, c10::Storage)>(at::native::set_));
  library.impl("set_.source_Tensor", at::native::set_tensor_);
  library.impl("set_", set_empty);
  library.impl("histc", count_bins);
  library.impl("histc.out", count_bins_out);
  // Composed for every device; for an unknown one PyTorch would look for a convolution of the backend's own.
  library.impl("convolution", torch::CppFunction::makeFromBoxedFunction<&run_on_cpu_kernel>());
  library.impl("convolution_backward", torch::CppFunction::makeFromBoxedFunction<&run_on_cpu_kernel>());
}

}  // namespace
}  // namespace neuron
