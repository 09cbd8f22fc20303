#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include <ATen/core/dispatch/Dispatcher.h>

#include "faults.h"

namespace neuron {

/// Which tensors of the host an operator accepts beside tensors of the device.
enum class HostTensors {
  None,        ///< none
  Scalars,     ///< tensors without dimensions; a Python number is always taken
  OnlyIndices  ///< any index list on the host; other arguments as Scalars
};

/// What the device must know about one operator, worked out once per process. Reads are thread safe.
struct OperatorInfo {
  explicit OperatorInfo(const c10::OperatorHandle& op);

  const std::string name;    ///< "aten::add.Tensor"
  std::vector<bool> writes;  ///< per argument: the operator changes it
  bool writes_any = false;
  int generator_argument = -1;  ///< position of the random generator, or -1
  HostTensors host_tensors = HostTensors::None;
  std::atomic<uint64_t> noted_epoch{0};  ///< epoch of OperatorLog in which the operator was noted last
  FaultCounter fault_counter;
};

/// The info of `op`; the reference stays valid. Cheap: one look-up in a table of this thread.
OperatorInfo& info_of(const c10::OperatorHandle& op);

/// Remembers the names of the operators that ran, and which of them count as having fallen back to the CPU.
/// Thread safe; noting an operator that is known costs two relaxed loads.
class OperatorLog {
 public:
  static OperatorLog& instance();

  void note(OperatorInfo& info) {
    const auto epoch = epoch_.load(std::memory_order_relaxed);
    if (info.noted_epoch.load(std::memory_order_relaxed) != epoch) note_first(info, epoch);
  }

  /// Operators (without overload: "aten::add") that are to be reported as fallen back; replaces earlier ones.
  void set_fallback_names(std::set<std::string> names);

  std::set<std::string> executed() const;
  std::set<std::string> fallen_back() const;
  void clear();

 private:
  void note_first(OperatorInfo& info, uint64_t epoch);

  mutable std::mutex mutex_;
  std::atomic<uint64_t> epoch_{1};
  std::set<std::string> fallback_names_;
  std::set<std::string> executed_;
  std::set<std::string> fallen_back_;
};

}  // namespace neuron
