#pragma once

#include <atomic>
#include <memory>

#include "lookup/snapshot.h"

namespace willitrun {

/// The snapshot that is current. Readers take it and keep it as long as they need; a new one takes its place without
/// waiting for them. Any number of threads may call both.
class SnapshotHolder {
 public:
  explicit SnapshotHolder(std::shared_ptr<const LookupSnapshot> first) : current_(std::move(first)) {}

  std::shared_ptr<const LookupSnapshot> get() const { return current_.load(); }
  void replace(std::shared_ptr<const LookupSnapshot> next) { current_.store(std::move(next)); }

 private:
  std::atomic<std::shared_ptr<const LookupSnapshot>> current_;
};

}  // namespace willitrun
