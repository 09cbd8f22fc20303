#include "pinned.h"

#include <cstdlib>
#include <functional>
#include <map>
#include <mutex>

#include <c10/util/Exception.h>

namespace neuron {
namespace {

constexpr size_t kAlignment = 64;

// Start and length of every pinned allocation; pointers into the middle of one count as pinned.
class PinnedRanges {
 public:
  void add(const void* start, size_t nbytes) {
    std::lock_guard lock(mutex_);
    ranges_[start] = nbytes;
  }
  void remove(const void* start) {
    std::lock_guard lock(mutex_);
    ranges_.erase(start);
  }
  bool contains(const void* data) const {
    std::lock_guard lock(mutex_);
    auto after = ranges_.upper_bound(data);
    if (after == ranges_.begin()) return false;
    const auto& [start, nbytes] = *std::prev(after);
    return std::less<>{}(data, static_cast<const char*>(start) + nbytes);
  }

 private:
  mutable std::mutex mutex_;
  std::map<const void*, size_t, std::less<>> ranges_;
};

PinnedRanges& ranges() {
  static auto* all = new PinnedRanges;
  return *all;
}

void free_pinned(void* data) {
  ranges().remove(data);
  std::free(data);
}

class PinnedMemory final : public c10::Allocator {
 public:
  c10::DataPtr allocate(size_t nbytes) override {
    const c10::Device cpu(c10::DeviceType::CPU);
    if (nbytes == 0) return {nullptr, nullptr, &free_pinned, cpu};
    void* data = std::aligned_alloc(kAlignment, (nbytes + kAlignment - 1) / kAlignment * kAlignment);
    TORCH_CHECK(data != nullptr, "neuron: the host has no ", nbytes, " bytes to pin");
    ranges().add(data, nbytes);
    return {data, data, &free_pinned, cpu};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &free_pinned; }
  void copy_data(void* to, const void* from, size_t nbytes) const override { default_copy_data(to, from, nbytes); }
};

}  // namespace

c10::Allocator* pinned_allocator() {
  static auto* allocator = new PinnedMemory;
  return allocator;
}

bool is_pinned(const void* data) { return ranges().contains(data); }

}  // namespace neuron
