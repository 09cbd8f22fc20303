// Blocks, the device's allocator and the two faces of an allocation, in the process that a program would have.

#include <thread>
#include <vector>

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "allocator.h"
#include "block.h"
#include "runtime.h"
#include "startup.h"
#include "stream.h"
#include "view.h"

namespace neuron {
namespace {

constexpr int64_t kCapacity = 1 << 20;

class Memory : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { start_device(4, kCapacity); }
  void TearDown() override { EXPECT_EQ(in_use(0), 0) << "a test left memory behind"; }
  static int64_t in_use(int core) { return Runtime::instance().ledger(core).snapshot().current_bytes; }
};

TEST_F(Memory, a_block_knows_its_core_and_returns_its_bytes) {
  void* data = allocate_block(100, 0);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(data) % kBlockAlignment, 0U);
  EXPECT_EQ(core_of_block(data), 0);
  EXPECT_EQ(in_use(0), 128);
  free_block(data);
  free_block(nullptr);
}

TEST_F(Memory, a_full_core_throws_and_charges_nothing) {
  EXPECT_THROW(allocate_block(kCapacity + 1, 0), c10::OutOfMemoryError);
  EXPECT_THROW(allocate_block(SIZE_MAX, 0), c10::OutOfMemoryError);
}

TEST_F(Memory, cpu_allocations_are_charged_inside_a_scope_only) {
  auto outside = at::ones({16});
  ChargeScope scope(0);
  auto inside = at::ones({16});
  EXPECT_EQ(in_use(0), 64);
}

TEST_F(Memory, scopes_nest) {
  ChargeScope outer(0);
  {
    ChargeScope inner(1);
    auto on_one = at::ones({16});
    EXPECT_EQ(in_use(1), 64);
  }
  auto on_zero = at::ones({16});
  EXPECT_EQ(in_use(0), 64);
  EXPECT_EQ(in_use(1), 0);
}

TEST_F(Memory, charged_memory_without_other_owner_is_taken_over) {
  at::Tensor device;
  void* data = nullptr;
  {
    ChargeScope scope(0);
    auto cpu = at::ones({16});
    data = cpu.data_ptr();
    device = adopt(cpu, 0);
  }
  EXPECT_EQ(device.data_ptr(), data);
  EXPECT_EQ(device.device(), device_of(0));
  EXPECT_EQ(in_use(0), 64);
}

TEST_F(Memory, shared_memory_is_kept_alive_by_both_faces) {
  at::Tensor device;
  {
    auto cpu = at::full({4}, 3.0F);
    device = adopt(cpu.view({2, 2}), 0);
  }
  EXPECT_EQ(cpu_view(device).sum().item<float>(), 12.0F);
}

TEST_F(Memory, a_view_of_a_view_is_the_first_storage_again) {
  at::Tensor device;
  {
    ChargeScope scope(0);
    device = adopt(at::ones({8}), 0);
  }
  auto back = adopt(cpu_view(device).slice(0, 2), 0);
  EXPECT_EQ(back.storage().unsafeGetStorageImpl(), device.storage().unsafeGetStorageImpl());
  EXPECT_EQ(back.storage_offset(), 2);
}

TEST_F(Memory, threads_allocate_and_free_at_once) {
  std::vector<std::thread> threads;
  for (int core = 0; core < 4; ++core) {
    threads.emplace_back([core] {
      Runtime::instance().set_current_core(core);
      for (int i = 1; i < 500; ++i) free_block(allocate_block(static_cast<size_t>(i), i % 4));
      EXPECT_EQ(exchange_stream(new_stream(core)).id(), 0);
      EXPECT_NE(current_stream(core).id(), 0);
    });
  }
  for (auto& thread : threads) thread.join();
  for (int core = 0; core < 4; ++core) EXPECT_EQ(in_use(core), 0);
}

}  // namespace
}  // namespace neuron
