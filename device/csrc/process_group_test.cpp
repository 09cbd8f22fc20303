// The process group over ranks that are threads of this process: what the device does around the carrying backend. That
// gloo itself carries right is tested between processes (tests/test_distributed.py).

#include <barrier>
#include <functional>
#include <thread>
#include <vector>

#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <torch/csrc/distributed/c10d/Work.hpp>

#include "faults.h"
#include "process_group.h"
#include "runtime.h"
#include "startup.h"

namespace neuron {
namespace {

using Tensors = NeuronBackend::Tensors;
using WorkPtr = NeuronBackend::WorkPtr;

class Done final : public c10d::Work {
 public:
  bool isCompleted() override { return true; }
  bool wait(std::chrono::milliseconds /*timeout*/) override { return true; }
};

// Where the ranks meet: each lays down a tensor and gets copies of all.
class Meeting {
 public:
  explicit Meeting(int num_ranks) : barrier_(num_ranks), tensors_(static_cast<size_t>(num_ranks)) {}

  Tensors exchange(int rank, const at::Tensor& mine) {
    tensors_[static_cast<size_t>(rank)] = mine.clone();
    barrier_.arrive_and_wait();
    Tensors all;
    for (const auto& tensor : tensors_) all.push_back(tensor.clone());
    barrier_.arrive_and_wait();
    return all;
  }

 private:
  std::barrier<> barrier_;
  Tensors tensors_;
};

// Carries collectives between threads; takes tensors of the CPU alone, as gloo does.
class ThreadBackend final : public c10d::Backend {
 public:
  ThreadBackend(Meeting& meeting, int rank, int size) : Backend(rank, size), meeting_(meeting) {}

  WorkPtr allreduce(Tensors& tensors, const c10d::AllreduceOptions& /*options*/) override {
    const auto all = exchange(tensors.front());
    tensors.front().copy_(at::stack(all).sum(0));
    return c10::make_intrusive<Done>();
  }
  WorkPtr broadcast(Tensors& tensors, const c10d::BroadcastOptions& options) override {
    tensors.front().copy_(exchange(tensors.front()).at(static_cast<size_t>(options.rootRank)));
    return c10::make_intrusive<Done>();
  }
  WorkPtr _allgather_base(at::Tensor& output, at::Tensor& input, const c10d::AllgatherOptions& /*options*/) override {
    output.copy_(at::cat(exchange(input)));
    return c10::make_intrusive<Done>();
  }
  WorkPtr alltoall_base(at::Tensor& output, at::Tensor& input, std::vector<int64_t>& /*output_splits*/,
                        std::vector<int64_t>& /*input_splits*/, const c10d::AllToAllOptions& /*options*/) override {
    Tensors mine;
    for (const auto& whole : exchange(input)) mine.push_back(whole.chunk(getSize()).at(static_cast<size_t>(getRank())));
    output.copy_(at::cat(mine));
    return c10::make_intrusive<Done>();
  }
  WorkPtr barrier(const c10d::BarrierOptions& /*options*/) override {
    exchange(at::zeros({1}));
    return c10::make_intrusive<Done>();
  }

 private:
  Tensors exchange(const at::Tensor& mine) {
    EXPECT_TRUE(mine.is_cpu());
    return meeting_.exchange(getRank(), mine);
  }

  Meeting& meeting_;
};

class ProcessGroup : public ::testing::Test {
 protected:
  static constexpr int kRanks = 3;

  static void SetUpTestSuite() { start_device(kRanks, int64_t{1} << 30); }
  void TearDown() override { FaultPlan::instance().set({}); }

  // Runs `rank` on a thread for each rank, with its group and its core.
  static void on_ranks(const std::function<void(NeuronBackend&, int)>& run) {
    Meeting meeting(kRanks);
    std::vector<std::thread> threads;
    for (int rank = 0; rank < kRanks; ++rank) {
      threads.emplace_back([&, rank] {
        Runtime::instance().set_current_core(rank);
        NeuronBackend group(c10::make_intrusive<ThreadBackend>(meeting, rank, kRanks));
        run(group, rank);
      });
    }
    for (auto& thread : threads) thread.join();
  }

  static at::Tensor on_core(int core, const std::vector<float>& values) {
    return at::tensor(values).to(device_of(core));
  }
};

TEST_F(ProcessGroup, sums_into_the_tensor_of_each_rank) {
  on_ranks([](NeuronBackend& group, int rank) {
    for (int round = 0; round < 50; ++round) {
      Tensors tensors{on_core(rank, {static_cast<float>(rank), 1})};
      auto work = group.allreduce(tensors, {});
      EXPECT_TRUE(work->isCompleted());
      EXPECT_TRUE(at::equal(tensors.front().cpu(), at::tensor({3.0F, 3.0F})));
      EXPECT_EQ(work->getFuture()->value().toTensorVector().front().device(), device_of(rank));
    }
  });
}

TEST_F(ProcessGroup, gathers_broadcasts_and_exchanges) {
  on_ranks([](NeuronBackend& group, int rank) {
    const auto own = static_cast<float>(rank);
    auto mine = on_core(rank, {own});
    auto gathered = on_core(rank, {-1, -1, -1});
    group._allgather_base(gathered, mine, {});
    EXPECT_TRUE(at::equal(gathered.cpu(), at::tensor({0.0F, 1.0F, 2.0F})));

    c10d::BroadcastOptions from_the_last;
    from_the_last.rootRank = kRanks - 1;
    Tensors sent{on_core(rank, {own})};
    group.broadcast(sent, from_the_last);
    EXPECT_EQ(sent.front().item<float>(), kRanks - 1);

    Tensors inputs{on_core(rank, {own}), on_core(rank, {own + 10}), on_core(rank, {own + 20})};
    Tensors outputs{on_core(rank, {-1}), on_core(rank, {-1}), on_core(rank, {-1})};
    group.alltoall(outputs, inputs, {});
    EXPECT_EQ(outputs.at(2).item<float>(), 2 + 10 * own);
    group.barrier({});
  });
}

TEST_F(ProcessGroup, refuses_what_the_runtime_lacks) {
  on_ranks([](NeuronBackend& group, int rank) {
    Tensors tensors{on_core(rank, {1})};
    EXPECT_THROW(group.send(tensors, 0, 0), c10::Error);
    Tensors uneven{on_core(rank, {1}), on_core(rank, {1, 2}), on_core(rank, {1})};
    Tensors outputs = uneven;
    EXPECT_THROW(group.alltoall(outputs, uneven, {}), c10::Error);
  });
}

TEST_F(ProcessGroup, loses_the_all_reduce_that_a_fault_names) {
  FaultPlan::instance().set(
      {{.name_pattern = "neuron::all_reduce", .effect = FaultEffect::Lost, .message = "", .and_later = true}});
  on_ranks([](NeuronBackend& group, int rank) {
    Tensors tensors{on_core(rank, {5})};
    group.allreduce(tensors, {});
    EXPECT_EQ(tensors.front().item<float>(), 5);
  });
}

}  // namespace
}  // namespace neuron
