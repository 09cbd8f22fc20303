#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include <ATen/core/stack.h>

namespace neuron {

/// What an injected fault does to an operator or a collective.
enum class FaultEffect {
  Raise,         ///< throws `message` instead of computing
  OutOfMemory,   ///< throws `message` as an out-of-memory error
  Hang,          ///< never returns
  Crash,         ///< ends the process with SIGSEGV
  WrongNumbers,  ///< computes, then spoils the floating-point results
  Lost           ///< a collective that returns without exchanging anything
};

/// One rule: the `nth` call (from 1) of whatever has a matching name has the effect; with `and_later` every later too.
struct Fault {
  std::string name_pattern;  ///< shell pattern over "aten::add.Tensor" or "neuron::all_reduce"
  FaultEffect effect = FaultEffect::Raise;
  std::string message;
  uint64_t nth = 1;
  bool and_later = false;
};

/// What the plan remembers about one name: the rule that fits it and how often it was called. Owned by the caller.
struct FaultCounter {
  static constexpr int kUnknown = -1;
  static constexpr int kNoRule = -2;
  std::atomic<int> rule{kUnknown};
  std::atomic<uint64_t> num_calls{0};
};

/// The fault rules of this process. Set them once, before anything runs; asking is thread safe.
class FaultPlan {
 public:
  static FaultPlan& instance();

  /// Sets the rules. For one name the first that matches counts.
  void set(std::vector<Fault> rules);

  /// True when there is any rule; the only cost of a process without faults.
  bool armed() const noexcept { return armed_.load(std::memory_order_acquire); }

  /// Counts a call of `name` and returns the fault that is due, or nullptr.
  const Fault* due(const std::string& name, FaultCounter& counter);

 private:
  int rule_for(const std::string& name, FaultCounter& counter) const;

  std::atomic<bool> armed_{false};
  std::vector<Fault> rules_;
};

/// Carries out a fault that comes instead of the computation; returns for the two that do not.
void strike_before(const Fault& fault);

/// Spoils the last `num_results` values of the stack when the fault asks for it.
void strike_after(const Fault& fault, torch::jit::Stack& stack, size_t num_results);

}  // namespace neuron
