#include "faults.h"

#include <fnmatch.h>
#include <unistd.h>
#include <csignal>

#include <c10/util/Exception.h>

namespace neuron {
namespace {

// A pattern may name an operator with its overload ("aten::sum.dim_IntList") or without ("aten::sum").
bool matches(const std::string& pattern, const std::string& name) {
  const auto base_name = name.substr(0, name.find('.'));
  return fnmatch(pattern.c_str(), name.c_str(), 0) == 0 || fnmatch(pattern.c_str(), base_name.c_str(), 0) == 0;
}

[[noreturn]] void hang() {
  while (true) ::pause();
}

[[noreturn]] void crash() {
  std::signal(SIGSEGV, SIG_DFL);  // whatever handler is installed, the process must really die of it
  std::raise(SIGSEGV);
  std::abort();
}

}  // namespace

FaultPlan& FaultPlan::instance() {
  static auto* plan = new FaultPlan;
  return *plan;
}

void FaultPlan::set(std::vector<Fault> rules) {
  rules_ = std::move(rules);
  armed_.store(!rules_.empty(), std::memory_order_release);
}

int FaultPlan::rule_for(const std::string& name, FaultCounter& counter) const {
  int rule = counter.rule.load(std::memory_order_relaxed);
  if (rule != FaultCounter::kUnknown) return rule;
  rule = FaultCounter::kNoRule;
  for (size_t i = 0; i < rules_.size() && rule == FaultCounter::kNoRule; ++i) {
    if (matches(rules_[i].name_pattern, name)) rule = static_cast<int>(i);
  }
  counter.rule.store(rule, std::memory_order_relaxed);
  return rule;
}

const Fault* FaultPlan::due(const std::string& name, FaultCounter& counter) {
  const int rule = rule_for(name, counter);
  if (rule < 0) return nullptr;
  const auto& fault = rules_[static_cast<size_t>(rule)];
  const auto call = counter.num_calls.fetch_add(1, std::memory_order_relaxed) + 1;
  return call == fault.nth || (fault.and_later && call > fault.nth) ? &fault : nullptr;
}

void strike_before(const Fault& fault) {
  switch (fault.effect) {
    case FaultEffect::Raise: TORCH_CHECK(false, fault.message);
    case FaultEffect::OutOfMemory: TORCH_CHECK_WITH(OutOfMemoryError, false, fault.message);
    case FaultEffect::Hang: hang();
    case FaultEffect::Crash: crash();
    case FaultEffect::WrongNumbers:
    case FaultEffect::Lost: return;
  }
}

void strike_after(const Fault& fault, torch::jit::Stack& stack, size_t num_results) {
  if (fault.effect != FaultEffect::WrongNumbers) return;
  for (size_t i = stack.size() - num_results; i < stack.size(); ++i) {
    if (!stack[i].isTensor()) continue;
    const auto& tensor = stack[i].toTensor();
    // Turned around rather than scaled: a following normalisation or argmax must not hide it.
    if (tensor.defined() && tensor.is_floating_point()) tensor.neg_();
  }
}

}  // namespace neuron
