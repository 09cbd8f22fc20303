// Streams, events and the device guard, as PyTorch's own classes use them.

#include <set>
#include <thread>
#include <vector>

#include <c10/core/DeviceGuard.h>
#include <c10/core/Event.h>
#include <c10/core/StreamGuard.h>
#include <gtest/gtest.h>

#include "runtime.h"
#include "startup.h"
#include "stream.h"

namespace neuron {
namespace {

constexpr int kCores = 4;

class Streams : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { start_device(kCores, int64_t{1} << 30); }
};

TEST_F(Streams, a_guard_changes_the_core_for_its_life) {
  const int before = Runtime::current_core();
  {
    c10::DeviceGuard guard(device_of(3));
    EXPECT_EQ(Runtime::current_core(), 3);
  }
  EXPECT_EQ(Runtime::current_core(), before);
}

TEST_F(Streams, a_stream_guard_changes_the_stream_for_its_life) {
  const auto stream = new_stream(1);
  {
    c10::StreamGuard guard(stream);
    EXPECT_EQ(current_stream(1), stream);
    EXPECT_EQ(Runtime::current_core(), 1);
  }
  EXPECT_EQ(current_stream(1).id(), 0);
}

TEST_F(Streams, events_are_ready_and_measure_time) {
  const auto stream = current_stream(0);
  c10::Event first(kDeviceType, c10::EventFlag::BACKEND_DEFAULT);
  c10::Event second(kDeviceType, c10::EventFlag::BACKEND_DEFAULT);
  first.record(stream);
  second.record(stream);
  second.synchronize();
  EXPECT_TRUE(first.query() && second.query());
  EXPECT_GE(first.elapsedTime(second), 0);
}

TEST_F(Streams, threads_make_and_change_streams_at_once) {
  std::vector<std::thread> threads;
  std::vector<std::set<c10::StreamId>> ids(kCores);
  for (int core = 0; core < kCores; ++core) {
    threads.emplace_back([core, &ids] {
      for (int i = 0; i < 200; ++i) {
        const auto stream = new_stream(core);
        ids[static_cast<size_t>(core)].insert(stream.id());
        c10::StreamGuard guard(stream);
        c10::Event event(kDeviceType, c10::EventFlag::BACKEND_DEFAULT);
        event.record(stream);
        event.block(stream);
        EXPECT_EQ(current_stream(core), stream);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  std::set<c10::StreamId> all;
  for (const auto& some : ids) all.insert(some.begin(), some.end());
  EXPECT_EQ(all.size(), 200U * kCores) << "no id is given twice";
}

}  // namespace
}  // namespace neuron
