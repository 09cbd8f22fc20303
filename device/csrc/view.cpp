#include "view.h"

#include "allocator.h"
#include "runtime.h"

namespace neuron {
namespace {

using StoragePtr = c10::intrusive_ptr<c10::StorageImpl>;

void release_other_face(void* storage) { StoragePtr::reclaim(static_cast<c10::StorageImpl*>(storage)); }

// Memory of `storage` as seen from `device`; holds a reference to `storage` instead of owning bytes.
c10::DataPtr borrowed(const StoragePtr& storage, c10::Device device) {
  void* data = storage->mutable_data();
  return {data, StoragePtr(storage).release(), &release_other_face, device};
}

c10::Storage storage_with(c10::DataPtr memory, size_t nbytes, c10::Allocator* allocator, bool resizable) {
  return c10::Storage(c10::make_intrusive<c10::StorageImpl>(c10::StorageImpl::use_byte_size_t(), nbytes,
                                                            std::move(memory), allocator, resizable));
}

StoragePtr shared(c10::StorageImpl* storage) { return StoragePtr::reclaim_copy(storage); }

}  // namespace

at::Tensor tensor_over(c10::Storage storage, const at::Tensor& like) {
  const auto key =
      storage.device_type() == c10::DeviceType::CPU ? c10::DispatchKey::CPU : c10::DispatchKey::PrivateUse1;
  auto tensor = at::detail::make_tensor<c10::TensorImpl>(std::move(storage), c10::DispatchKeySet(key), like.dtype());
  tensor.unsafeGetTensorImpl()->set_sizes_and_strides(like.sizes(), like.strides(), like.storage_offset());
  if (like.is_conj()) tensor._set_conj(true);
  if (like.is_neg()) tensor._set_neg(true);
  return tensor;
}

c10::DataPtr move_memory(c10::StorageImpl& storage, c10::Device device) {
  c10::DataPtr moved = storage.set_data_ptr(c10::DataPtr(nullptr, storage.device()));
  moved.unsafe_set_device(device);
  return moved;
}

at::Tensor cpu_view(const at::Tensor& tensor) {
  if (!tensor.defined() || !tensor.is_privateuseone()) return tensor;
  const auto source = shared(tensor.storage().unsafeGetStorageImpl());
  auto* cpu_allocator = c10::GetAllocator(c10::DeviceType::CPU);
  auto memory = borrowed(source, c10::Device(c10::DeviceType::CPU));
  return tensor_over(storage_with(std::move(memory), source->nbytes(), cpu_allocator, false), tensor);
}

at::Tensor adopt(const at::Tensor& cpu, int core) {
  if (!cpu.defined() || cpu.is_privateuseone()) return cpu;
  const auto device = device_of(core);
  const auto source = shared(cpu.storage().unsafeGetStorageImpl());
  const auto& memory = source->data_ptr();
  if (memory.get_deleter() == &release_other_face) {
    return tensor_over(c10::Storage(shared(static_cast<c10::StorageImpl*>(memory.get_context()))), cpu);
  }
  const size_t nbytes = source->nbytes();
  constexpr size_t kOnlyCpuAndSource = 2;
  const bool has_no_other_owner = source.use_count() <= kOnlyCpuAndSource;
  auto taken =
      is_charged(memory.get_deleter()) && has_no_other_owner ? move_memory(*source, device) : borrowed(source, device);
  return tensor_over(storage_with(std::move(taken), nbytes, device_allocator(), true), cpu);
}

}  // namespace neuron
