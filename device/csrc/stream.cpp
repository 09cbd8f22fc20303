// Streams carry identity only: every operator is done when its call returns, so a stream is always idle and an event
// is complete as soon as it is recorded.

#include "stream.h"

#include <array>
#include <atomic>

#include "runtime.h"

namespace neuron {
namespace {

constexpr c10::StreamId kDefaultStreamId = 0;
thread_local std::array<c10::StreamId, kMaxCores> current_ids{};

c10::Stream stream_of(int core, c10::StreamId id) { return c10::Stream(c10::Stream::UNSAFE, device_of(core), id); }

}  // namespace

c10::Stream current_stream(int core) { return stream_of(core, current_ids.at(static_cast<size_t>(core))); }

c10::Stream exchange_stream(c10::Stream stream) {
  const int core = stream.device_index();
  c10::Stream before = current_stream(core);
  current_ids.at(static_cast<size_t>(core)) = stream.id();
  return before;
}

c10::Stream new_stream(int core) {
  static std::atomic<c10::StreamId> last_id{kDefaultStreamId};
  return stream_of(core, last_id.fetch_add(1) + 1);
}

}  // namespace neuron
