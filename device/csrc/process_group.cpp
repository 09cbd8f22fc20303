#include "process_group.h"

#include <algorithm>

#include <ATen/core/ivalue.h>
#include <torch/csrc/distributed/c10d/Work.hpp>

#include "faults.h"
#include "view.h"

namespace neuron {
namespace {

using Tensors = NeuronBackend::Tensors;
using WorkPtr = NeuronBackend::WorkPtr;

// A collective that is over: its future is complete and holds the tensors of the device.
class DoneWork final : public c10d::Work {
 public:
  explicit DoneWork(Tensors outputs)
      : outputs_(std::move(outputs)),
        future_(c10::make_intrusive<c10::ivalue::Future>(c10::ListType::create(c10::TensorType::get()))) {
    future_->markCompleted(c10::IValue(outputs_));
  }
  bool isCompleted() override { return true; }
  bool isSuccess() const override { return true; }
  bool wait(std::chrono::milliseconds /*timeout*/) override { return true; }
  void synchronize() override {}
  Tensors result() override { return outputs_; }
  c10::intrusive_ptr<c10::ivalue::Future> getFuture() override { return future_; }

 private:
  Tensors outputs_;
  c10::intrusive_ptr<c10::ivalue::Future> future_;
};

WorkPtr done(Tensors outputs) { return c10::make_intrusive<DoneWork>(std::move(outputs)); }

Tensors cpu_views(const Tensors& tensors) {
  Tensors views(tensors.size());
  std::transform(tensors.begin(), tensors.end(), views.begin(), cpu_view);
  return views;
}

std::vector<Tensors> cpu_views(const std::vector<Tensors>& lists) {
  std::vector<Tensors> views;
  views.reserve(lists.size());
  for (const auto& list : lists) views.push_back(cpu_views(list));
  return views;
}

// True when an injected fault swallows this all-reduce; other faults do not return.
bool all_reduce_is_lost() {
  static FaultCounter counter;
  if (!FaultPlan::instance().armed()) return false;
  const Fault* fault = FaultPlan::instance().due("neuron::all_reduce", counter);
  if (fault == nullptr) return false;
  strike_before(*fault);
  return fault->effect == FaultEffect::Lost;
}

bool are_equal(const std::vector<int64_t>& splits) {
  return std::adjacent_find(splits.begin(), splits.end(), std::not_equal_to<>{}) == splits.end();
}

}  // namespace

NeuronBackend::NeuronBackend(c10::intrusive_ptr<c10d::Backend> inner)
    : Backend(inner->getRank(), inner->getSize()), inner_(std::move(inner)) {}

WorkPtr NeuronBackend::broadcast(Tensors& tensors, const c10d::BroadcastOptions& options) {
  auto views = cpu_views(tensors);
  inner_->broadcast(views, options)->wait();
  return done(tensors);
}

WorkPtr NeuronBackend::allreduce(Tensors& tensors, const c10d::AllreduceOptions& options) {
  auto views = cpu_views(tensors);
  if (!all_reduce_is_lost()) inner_->allreduce(views, options)->wait();
  return done(tensors);
}

WorkPtr NeuronBackend::allreduce_coalesced(Tensors& tensors, const c10d::AllreduceCoalescedOptions& options) {
  for (const auto& tensor : tensors) {
    Tensors one{tensor};
    c10d::AllreduceOptions each;
    each.reduceOp = options.reduceOp;
    allreduce(one, each);
  }
  return done(tensors);
}

WorkPtr NeuronBackend::reduce(Tensors& tensors, const c10d::ReduceOptions& options) {
  auto views = cpu_views(tensors);
  inner_->reduce(views, options)->wait();
  return done(tensors);
}

WorkPtr NeuronBackend::allgather(std::vector<Tensors>& outputs, Tensors& inputs,
                                 const c10d::AllgatherOptions& options) {
  auto to = cpu_views(outputs);
  auto from = cpu_views(inputs);
  inner_->allgather(to, from, options)->wait();
  return done(outputs.empty() ? Tensors{} : outputs.front());
}

WorkPtr NeuronBackend::_allgather_base(at::Tensor& output, at::Tensor& input, const c10d::AllgatherOptions& options) {
  auto to = cpu_view(output);
  auto from = cpu_view(input);
  inner_->_allgather_base(to, from, options)->wait();
  return done({output});
}

WorkPtr NeuronBackend::allgather_into_tensor_coalesced(Tensors& outputs, Tensors& inputs,
                                                       const c10d::AllgatherOptions& options) {
  for (size_t i = 0; i < outputs.size(); ++i) _allgather_base(outputs[i], inputs[i], options);
  return done(outputs);
}

WorkPtr NeuronBackend::gather(std::vector<Tensors>& outputs, Tensors& inputs, const c10d::GatherOptions& options) {
  auto to = cpu_views(outputs);
  auto from = cpu_views(inputs);
  inner_->gather(to, from, options)->wait();
  return done(outputs.empty() ? Tensors{} : outputs.front());
}

WorkPtr NeuronBackend::scatter(Tensors& outputs, std::vector<Tensors>& inputs, const c10d::ScatterOptions& options) {
  auto to = cpu_views(outputs);
  auto from = cpu_views(inputs);
  inner_->scatter(to, from, options)->wait();
  return done(outputs);
}

WorkPtr NeuronBackend::reduce_scatter(Tensors& outputs, std::vector<Tensors>& inputs,
                                      const c10d::ReduceScatterOptions& options) {
  auto to = cpu_views(outputs);
  auto from = cpu_views(inputs);
  inner_->reduce_scatter(to, from, options)->wait();
  return done(outputs);
}

WorkPtr NeuronBackend::_reduce_scatter_base(at::Tensor& output, at::Tensor& input,
                                            const c10d::ReduceScatterOptions& options) {
  auto to = cpu_view(output);
  auto from = cpu_view(input);
  inner_->_reduce_scatter_base(to, from, options)->wait();
  return done({output});
}

WorkPtr NeuronBackend::reduce_scatter_tensor_coalesced(Tensors& outputs, Tensors& inputs,
                                                       const c10d::ReduceScatterOptions& options) {
  for (size_t i = 0; i < outputs.size(); ++i) _reduce_scatter_base(outputs[i], inputs[i], options);
  return done(outputs);
}

WorkPtr NeuronBackend::alltoall_base(at::Tensor& output, at::Tensor& input, std::vector<int64_t>& output_splits,
                                     std::vector<int64_t>& input_splits, const c10d::AllToAllOptions& options) {
  TORCH_CHECK(are_equal(output_splits) && are_equal(input_splits),
              "Backend neuron does not support alltoall with unequal splits");
  auto to = cpu_view(output);
  auto from = cpu_view(input);
  inner_->alltoall_base(to, from, output_splits, input_splits, options)->wait();
  return done({output});
}

// gloo has no list form, so the lists travel as one tensor; equal splits are all that the device offers anyway.
WorkPtr NeuronBackend::alltoall(Tensors& outputs, Tensors& inputs, const c10d::AllToAllOptions& options) {
  const auto has_shape_of_first = [&](const at::Tensor& tensor) { return tensor.sizes() == inputs.front().sizes(); };
  TORCH_CHECK(!inputs.empty() && std::all_of(inputs.begin(), inputs.end(), has_shape_of_first) &&
                  std::all_of(outputs.begin(), outputs.end(), has_shape_of_first),
              "Backend neuron does not support alltoall with unequal splits");
  auto from = at::stack(cpu_views(inputs));
  auto to = at::empty_like(from);
  std::vector<int64_t> equal_splits;
  inner_->alltoall_base(to, from, equal_splits, equal_splits, options)->wait();
  const auto parts = to.unbind();
  for (size_t i = 0; i < outputs.size(); ++i) cpu_view(outputs[i]).copy_(parts[i]);
  return done(outputs);
}

WorkPtr NeuronBackend::barrier(const c10d::BarrierOptions& /*options*/) {
  // The options name devices, which gloo does not know.
  inner_->barrier(c10d::BarrierOptions{})->wait();
  return done({});
}

}  // namespace neuron
