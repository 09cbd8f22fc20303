#pragma once

#include <cstdint>
#include <string_view>

#include "domain/failure.h"

namespace willitrun {

/// Told what an attempt is doing, for a person who waits. Every function may do nothing.
class Progress {
 public:
  virtual ~Progress() = default;

  /// An attempt on `model` is about to enter `mark`.
  virtual void on_mark(std::string_view model, Mark mark) = 0;

  /// More bytes of the model's files have arrived.
  virtual void on_download(std::uint64_t new_bytes) = 0;

  /// Something that the person should know and that stands in no row.
  virtual void on_message(std::string_view text) = 0;

  /// Called many times a second while a script runs.
  virtual void on_wait() = 0;
};

}  // namespace willitrun
