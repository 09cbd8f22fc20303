#pragma once

// The two faces of the same bytes: a `neuron` tensor and a `cpu` tensor over one allocation. PyTorch derives a tensor's
// device from its storage, so each face has a storage object of its own; the bytes are never copied.

#include <ATen/core/Tensor.h>

namespace neuron {

/// A tensor with the sizes, strides and dtype of `like` over `storage`; its device is the storage's.
at::Tensor tensor_over(c10::Storage storage, const at::Tensor& like);

/// A CPU tensor over the bytes of a `neuron` tensor, which it keeps alive. Other tensors come back as they are.
at::Tensor cpu_view(const at::Tensor& tensor);

/// A `neuron:<core>` tensor over the bytes of a CPU tensor. Memory that is charged to a core and has no other owner is
/// taken over; a CPU view gives back the storage it was made from; else the CPU storage is kept alive.
at::Tensor adopt(const at::Tensor& cpu, int core);

/// Moves the memory out of `storage`, which is left empty, and names `device` as its place.
c10::DataPtr move_memory(c10::StorageImpl& storage, c10::Device device);

}  // namespace neuron
