#include "ledger.h"

#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace neuron {
namespace {

TEST(MemoryLedger, charges_up_to_the_capacity_and_not_beyond) {
  MemoryLedger ledger;
  ledger.set_capacity(100);
  EXPECT_TRUE(ledger.try_charge(60));
  EXPECT_FALSE(ledger.try_charge(41));
  EXPECT_TRUE(ledger.try_charge(40));
  const auto account = ledger.snapshot();
  EXPECT_EQ(account.current_bytes, 100);
  EXPECT_EQ(account.num_allocations, 2);
  EXPECT_EQ(account.num_refusals, 1);
}

TEST(MemoryLedger, peak_stays_until_it_is_reset) {
  MemoryLedger ledger;
  ledger.set_capacity(100);
  ASSERT_TRUE(ledger.try_charge(70));
  ledger.release(50);
  EXPECT_EQ(ledger.snapshot().peak_bytes, 70);
  ledger.reset_peak();
  EXPECT_EQ(ledger.snapshot().peak_bytes, 20);
}

TEST(MemoryLedger, a_capacity_below_what_is_in_use_refuses_all) {
  MemoryLedger ledger;
  ledger.set_capacity(100);
  ASSERT_TRUE(ledger.try_charge(80));
  ledger.set_capacity(10);
  EXPECT_FALSE(ledger.try_charge(1));
}

TEST(MemoryLedger, threads_never_exceed_the_capacity_and_leave_nothing) {
  constexpr int kThreads = 4;
  constexpr int kRounds = 20'000;
  MemoryLedger ledger;
  ledger.set_capacity(3);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < kRounds; ++round) {
        if (ledger.try_charge(1)) ledger.release(1);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  const auto account = ledger.snapshot();
  EXPECT_EQ(account.current_bytes, 0);
  EXPECT_LE(account.peak_bytes, 3);
  EXPECT_EQ(account.num_allocations + account.num_refusals, kThreads * kRounds);
}

}  // namespace
}  // namespace neuron
