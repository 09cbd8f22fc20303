#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>
#include <c10/util/SmallVector.h>

namespace neuron {

/// One operator call on its way to a CPU kernel and back: replaces arguments by their CPU face, carries what the kernel
/// changed back to them, and gives results their place on the device. Tensors that share a storage share its face, so
/// aliasing is the same on both sides. Lives no longer than the call.
class Crossing {
 public:
  /// Replaces an argument (tensor, list of tensors, device, generator) by what the CPU kernel takes.
  void enter(c10::IValue& argument, bool is_written);

  /// After the kernel: gives written arguments the new shape and memory of their CPU face (`out=` may resize).
  void carry_back_writes();

  /// Replaces a result of the kernel by the device's.
  void leave(c10::IValue& result);

  /// The core that the arguments name, else the thread's current one.
  int core() const;

  bool has_two_cores() const { return has_two_cores_; }
  /// A tensor of the host that has dimensions, or one that the operator writes.
  bool has_host_tensor() const { return has_host_tensor_; }
  bool has_host_scalar() const { return has_host_scalar_; }
  bool has_host_index() const { return has_host_index_; }
  bool has_device_tensor() const { return !tensors_.empty(); }

 private:
  struct TensorFaces {
    at::Tensor device;
    at::Tensor cpu;
    bool is_written;
  };
  struct StorageFaces {
    c10::StorageImpl* device;
    c10::intrusive_ptr<c10::StorageImpl> cpu;
  };

  at::Tensor enter(const at::Tensor& tensor, bool is_written);
  std::optional<at::Tensor> enter_index(const std::optional<at::Tensor>& index);
  at::Tensor leave(const at::Tensor& result) const;
  void note_core(int core);
  void note_host_tensor(const at::Tensor& tensor, bool is_written);
  c10::intrusive_ptr<c10::StorageImpl> cpu_face(const c10::Storage& storage);

  c10::SmallVector<TensorFaces, 8> tensors_;
  c10::SmallVector<StorageFaces, 8> storages_;
  int core_ = -1;
  bool has_two_cores_ = false;
  bool has_host_tensor_ = false;
  bool has_host_scalar_ = false;
  bool has_host_index_ = false;
};

}  // namespace neuron
