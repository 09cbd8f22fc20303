// Operators on the device: the CPU's numbers on the same bytes, tensors in wrong places refused, memory returned,
// faults carried out; alone and from threads that each use a core of their own.

#include <thread>
#include <vector>

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "faults.h"
#include "generator.h"
#include "operator_info.h"
#include "runtime.h"
#include "startup.h"
#include "view.h"

namespace neuron {
namespace {

constexpr int kCores = 4;

class Operators : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { start_device(kCores, int64_t{1} << 30); }
  void TearDown() override {
    FaultPlan::instance().set({});
    for (int core = 0; core < kCores; ++core) EXPECT_EQ(in_use(core), 0) << "a test left memory behind";
  }
  static int64_t in_use(int core) { return Runtime::instance().ledger(core).snapshot().current_bytes; }
  static at::Tensor on(int core, const at::Tensor& cpu) { return cpu.to(device_of(core)); }
  static at::Tensor numbers(at::IntArrayRef sizes) { return at::randn(sizes); }
};

TEST_F(Operators, compute_what_the_cpu_computes) {
  const auto a = numbers({8, 8});
  const auto b = numbers({8, 8});
  const auto x = on(0, a);
  const auto y = on(0, b);
  EXPECT_TRUE(at::equal((x + y).cpu(), a + b));
  EXPECT_TRUE(at::equal(at::matmul(x, y).cpu(), at::matmul(a, b)));
  EXPECT_TRUE(at::equal(at::softmax(x, -1).cpu(), at::softmax(a, -1)));
  EXPECT_TRUE(at::equal(std::get<1>(x.sort()).cpu(), std::get<1>(a.sort())));
  EXPECT_TRUE(at::equal(at::cat({x, y}).cpu(), at::cat({a, b})));
  EXPECT_TRUE(at::equal(at::conv1d(x.view({1, 8, 8}), y.view({4, 8, 2})).cpu(),
                        at::conv1d(a.view({1, 8, 8}), b.view({4, 8, 2}))));
}

TEST_F(Operators, results_lie_on_the_core_of_their_arguments) {
  const auto x = on(2, numbers({16}));
  const auto sum = x + x;
  EXPECT_EQ(sum.device(), device_of(2));
  EXPECT_EQ(in_use(2), 2 * 64);
}

TEST_F(Operators, views_share_their_bytes) {
  auto x = on(0, at::zeros({2, 3}));
  x.t().select(0, 1).fill_(5);
  EXPECT_EQ(x.sum().item<float>(), 10);
  EXPECT_EQ(x.t().storage().unsafeGetStorageImpl(), x.storage().unsafeGetStorageImpl());
}

TEST_F(Operators, a_result_that_is_given_may_grow) {
  const auto x = on(0, at::ones({100}));
  auto out = at::empty({0}, x.options());
  at::add_out(out, x, x);
  EXPECT_EQ(out.sizes(), at::IntArrayRef({100}));
  EXPECT_EQ(out.sum().item<float>(), 200);
}

TEST_F(Operators, tensors_of_two_places_are_refused) {
  const auto x = on(0, numbers({4}));
  EXPECT_THROW(x + numbers({4}), c10::Error);
  EXPECT_THROW(x + on(1, numbers({4})), c10::Error);
  EXPECT_NO_THROW(x * at::scalar_tensor(2.0));
  EXPECT_NO_THROW(x.index({at::tensor({1, 2})}));
}

TEST_F(Operators, a_seed_gives_the_numbers_of_the_cpu) {
  auto ours = make_generator(0);
  ours.set_current_seed(7);
  auto theirs = at::detail::createCPUGenerator(7);
  const auto options = at::TensorOptions().device(device_of(0));
  EXPECT_TRUE(at::equal(at::randn({9}, ours, options).cpu(), at::randn({9}, theirs)));
}

TEST_F(Operators, integers_are_counted_as_accelerators_do) {
  const auto x = on(0, at::tensor({0, 2, 2, 3}, at::kInt));
  EXPECT_TRUE(at::equal(x.histc(4, 0, 3).cpu(), at::tensor({1, 0, 2, 1}, at::kInt)));
}

TEST_F(Operators, a_fault_strikes_the_call_that_it_names) {
  const auto x = on(0, at::ones({4}));
  FaultPlan::instance().set({{.name_pattern = "aten::exp", .effect = FaultEffect::Raise, .message = "no", .nth = 2}});
  EXPECT_NO_THROW(x.exp());
  EXPECT_THROW(x.exp(), c10::Error);
  EXPECT_NO_THROW(x.exp());
}

TEST_F(Operators, a_fault_spoils_numbers) {
  const auto x = on(0, at::ones({4}));
  FaultPlan::instance().set({{.name_pattern = "aten::cos", .effect = FaultEffect::WrongNumbers, .message = ""}});
  EXPECT_LT(x.cos().sum().item<float>(), 0);
}

TEST_F(Operators, threads_compute_at_once_on_cores_of_their_own) {
  OperatorLog::instance().clear();
  FaultPlan::instance().set(
      {{.name_pattern = "aten::tan", .effect = FaultEffect::WrongNumbers, .message = "", .nth = 1U << 30}});
  const auto work = [](int core) {
    Runtime::instance().set_current_core(core);
    auto x = at::ones({32}, at::TensorOptions().device(device_of(core)));
    for (int i = 0; i < 200; ++i) {
      x = (x * 2 + 1).sigmoid().tan();
      OperatorLog::instance().executed();
    }
    EXPECT_EQ(x.device(), device_of(core));
    EXPECT_TRUE(x.isfinite().all().item<bool>());
  };
  std::vector<std::thread> threads;
  for (int core = 0; core < kCores; ++core) threads.emplace_back(work, core);
  for (auto& thread : threads) thread.join();
  EXPECT_TRUE(OperatorLog::instance().executed().contains("aten::sigmoid"));
}

}  // namespace
}  // namespace neuron
