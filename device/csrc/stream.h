#pragma once

#include <c10/core/Stream.h>

namespace neuron {

/// The stream that this thread uses on `core`; the default stream until another is exchanged in.
c10::Stream current_stream(int core);

/// Makes `stream` this thread's current stream of its core and returns the one before.
c10::Stream exchange_stream(c10::Stream stream);

/// A stream of `core` with an id that no other stream of this process has.
c10::Stream new_stream(int core);

}  // namespace neuron
