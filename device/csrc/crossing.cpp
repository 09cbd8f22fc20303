#include "crossing.h"

#include "generator.h"
#include "runtime.h"
#include "view.h"

namespace neuron {
namespace {

const c10::Device kCpu(c10::DeviceType::CPU);

bool has_same_layout(const at::Tensor& a, const at::Tensor& b) {
  return a.sizes() == b.sizes() && a.strides() == b.strides() && a.storage_offset() == b.storage_offset();
}

}  // namespace

int Crossing::core() const { return core_ < 0 ? Runtime::current_core() : core_; }

void Crossing::note_core(int core) {
  if (core_ < 0) core_ = core;
  has_two_cores_ |= core_ != core;
}

void Crossing::note_host_tensor(const at::Tensor& tensor, bool is_written) {
  const bool is_python_number = tensor.unsafeGetTensorImpl()->is_wrapped_number();
  if (!tensor.is_cpu() || is_python_number) return;
  const bool is_plain_scalar = tensor.dim() == 0 && !is_written;
  (is_plain_scalar ? has_host_scalar_ : has_host_tensor_) = true;
}

c10::intrusive_ptr<c10::StorageImpl> Crossing::cpu_face(const c10::Storage& storage) {
  auto* device = storage.unsafeGetStorageImpl();
  for (const auto& faces : storages_) {
    if (faces.device == device) return faces.cpu;
  }
  // Borrows the bytes without a reference: the caller's tensors outlive the call.
  auto cpu = c10::make_intrusive<c10::StorageImpl>(c10::StorageImpl::use_byte_size_t(), device->nbytes(),
                                                   c10::DataPtr(device->mutable_data(), kCpu),
                                                   c10::GetAllocator(c10::DeviceType::CPU), true);
  storages_.push_back({device, cpu});
  return cpu;
}

at::Tensor Crossing::enter(const at::Tensor& tensor, bool is_written) {
  if (!tensor.defined()) return tensor;
  if (!tensor.is_privateuseone()) {
    note_host_tensor(tensor, is_written);
    return tensor;
  }
  note_core(tensor.device().index());
  for (auto& faces : tensors_) {
    if (!faces.device.is_same(tensor)) continue;
    faces.is_written |= is_written;
    return faces.cpu;
  }
  auto cpu = tensor_over(c10::Storage(cpu_face(tensor.storage())), tensor);
  tensors_.push_back({tensor, cpu, is_written});
  return cpu;
}

std::optional<at::Tensor> Crossing::enter_index(const std::optional<at::Tensor>& index) {
  if (!index.has_value() || !index->defined()) return index;
  if (index->is_privateuseone()) return enter(*index, false);
  has_host_index_ = true;
  return index;
}

void Crossing::enter(c10::IValue& argument, bool is_written) {
  if (argument.isTensor()) {
    argument = enter(argument.toTensor(), is_written);
  } else if (argument.isTensorList()) {
    c10::List<at::Tensor> cpu;
    for (const at::Tensor& tensor : argument.toTensorVector()) cpu.push_back(enter(tensor, is_written));
    argument = std::move(cpu);
  } else if (argument.isOptionalTensorList()) {
    c10::List<std::optional<at::Tensor>> cpu;
    for (const std::optional<at::Tensor>& index : argument.toOptionalTensorVector()) cpu.push_back(enter_index(index));
    argument = std::move(cpu);
  } else if (argument.isDevice() && argument.toDevice().type() == kDeviceType) {
    const auto device = argument.toDevice();
    note_core(device.has_index() ? device.index() : Runtime::current_core());
    argument = kCpu;
  } else if (argument.isGenerator() && argument.toGenerator().device().type() == kDeviceType) {
    argument = cpu_generator_of(argument.toGenerator());
  }
}

void Crossing::carry_back_writes() {
  for (const auto& faces : tensors_) {
    if (!faces.is_written || has_same_layout(faces.cpu, faces.device)) continue;
    faces.device.unsafeGetTensorImpl()->set_sizes_and_strides(faces.cpu.sizes(), faces.cpu.strides(),
                                                              faces.cpu.storage_offset());
  }
  for (const auto& faces : storages_) {
    const size_t nbytes = faces.cpu->nbytes();
    if (faces.cpu->data() != faces.device->data()) {
      faces.device->set_data_ptr_noswap(move_memory(*faces.cpu, faces.device->device()));
    }
    faces.device->set_nbytes(nbytes);
  }
}

at::Tensor Crossing::leave(const at::Tensor& result) const {
  if (!result.defined() || !result.is_cpu()) return result;
  for (const auto& faces : tensors_) {
    if (faces.cpu.is_same(result)) return faces.device;
  }
  auto* storage = result.storage().unsafeGetStorageImpl();
  for (const auto& faces : storages_) {
    if (faces.cpu.get() != storage) continue;
    return tensor_over(c10::Storage(c10::intrusive_ptr<c10::StorageImpl>::reclaim_copy(faces.device)), result);
  }
  return adopt(result, core());
}

void Crossing::leave(c10::IValue& result) {
  if (result.isTensor()) {
    result = leave(result.toTensor());
  } else if (result.isTensorList()) {
    c10::List<at::Tensor> device;
    for (const at::Tensor& tensor : result.toTensorVector()) device.push_back(leave(tensor));
    result = std::move(device);
  }
}

}  // namespace neuron
