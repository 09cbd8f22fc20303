#include "operator_info.h"

#include <memory>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace neuron {
namespace {

// Operators that index with a list of tensors: PyTorch's accelerators accept the list on the host and move it.
bool takes_host_indices(const std::string& base_name) {
  static const std::unordered_set<std::string> names{"aten::index",         "aten::index_put",
                                                     "aten::index_put_",    "aten::_index_put_impl_",
                                                     "aten::_unsafe_index", "aten::_unsafe_index_put"};
  return names.contains(base_name);
}

// Element by element as well, or taking a number as a tensor by contract, but not tagged so in PyTorch's own table.
bool takes_host_scalars(std::string base_name) {
  static const std::unordered_set<std::string> names{"__and__",
                                                     "__or__",
                                                     "__xor__",
                                                     "__lshift__",
                                                     "__rshift__",
                                                     "_fused_adam",
                                                     "_fused_adamw",
                                                     "_fused_sgd",
                                                     "bitwise_and",
                                                     "bitwise_left_shift",
                                                     "bitwise_or",
                                                     "bitwise_right_shift",
                                                     "bitwise_xor",
                                                     "bucketize",
                                                     "copysign",
                                                     "eq",
                                                     "fill",
                                                     "floor_divide",
                                                     "gcd",
                                                     "ge",
                                                     "gt",
                                                     "heaviside",
                                                     "index_fill",
                                                     "isclose",
                                                     "lcm",
                                                     "le",
                                                     "linspace",
                                                     "logspace",
                                                     "lt",
                                                     "masked_fill",
                                                     "max",
                                                     "min",
                                                     "nanquantile",
                                                     "ne",
                                                     "normal",
                                                     "quantile",
                                                     "remainder",
                                                     "repeat_interleave",
                                                     "rsub",
                                                     "searchsorted",
                                                     "special_gammainc",
                                                     "special_gammaincc",
                                                     "special_xlogy",
                                                     "where"};
  constexpr std::string_view kNamespace = "aten::";
  if (!base_name.starts_with(kNamespace)) return false;
  base_name.erase(0, kNamespace.size());
  if (base_name.starts_with("_foreach_")) return true;
  const bool is_in_place = base_name.ends_with('_') && !base_name.ends_with("__");
  if (is_in_place) base_name.pop_back();
  return names.contains(base_name);
}

std::string without_overload(const std::string& name) { return name.substr(0, name.find('.')); }

HostTensors host_tensors_of(const c10::OperatorHandle& op, const std::string& name) {
  const auto base_name = without_overload(name);
  if (takes_host_indices(base_name)) return HostTensors::OnlyIndices;
  if (op.hasTag(at::Tag::pointwise) || takes_host_scalars(base_name)) return HostTensors::Scalars;
  return HostTensors::None;
}

bool is_generator(const c10::Argument& argument) {
  auto type = argument.real_type();
  if (auto optional = type->cast<c10::OptionalType>()) type = optional->getElementType();
  return type->kind() == c10::TypeKind::GeneratorType;
}

// One info per operator for the whole process, found by the address of its schema, which the dispatcher keeps stable.
class InfoTable {
 public:
  OperatorInfo& find_or_make(const c10::OperatorHandle& op) {
    std::lock_guard lock(mutex_);
    auto& slot = infos_[&op.schema()];
    if (!slot || slot->name != c10::toString(op.operator_name())) slot = std::make_unique<OperatorInfo>(op);
    return *slot;
  }

 private:
  std::mutex mutex_;
  std::unordered_map<const void*, std::unique_ptr<OperatorInfo>> infos_;
};

}  // namespace

OperatorInfo::OperatorInfo(const c10::OperatorHandle& op)
    : name(c10::toString(op.operator_name())), host_tensors(host_tensors_of(op, name)) {
  for (const auto& argument : op.schema().arguments()) {
    const bool writes_it = argument.alias_info() != nullptr && argument.alias_info()->isWrite();
    if (is_generator(argument)) generator_argument = static_cast<int>(writes.size());
    writes.push_back(writes_it);
    writes_any |= writes_it;
  }
}

OperatorInfo& info_of(const c10::OperatorHandle& op) {
  static auto* table = new InfoTable;
  static thread_local std::unordered_map<const void*, OperatorInfo*> known;
  auto [entry, is_new] = known.try_emplace(&op.schema(), nullptr);
  if (is_new) entry->second = &table->find_or_make(op);
  return *entry->second;
}

OperatorLog& OperatorLog::instance() {
  static auto* log = new OperatorLog;
  return *log;
}

void OperatorLog::set_fallback_names(std::set<std::string> names) {
  std::lock_guard lock(mutex_);
  fallback_names_ = std::move(names);
  epoch_.fetch_add(1);
}

void OperatorLog::note_first(OperatorInfo& info, uint64_t epoch) {
  std::lock_guard lock(mutex_);
  const auto base_name = without_overload(info.name);
  executed_.insert(base_name);
  if (fallback_names_.contains(base_name)) fallen_back_.insert(base_name);
  info.noted_epoch.store(epoch, std::memory_order_relaxed);
}

std::set<std::string> OperatorLog::executed() const {
  std::lock_guard lock(mutex_);
  return executed_;
}

std::set<std::string> OperatorLog::fallen_back() const {
  std::lock_guard lock(mutex_);
  return fallen_back_;
}

void OperatorLog::clear() {
  std::lock_guard lock(mutex_);
  executed_.clear();
  fallen_back_.clear();
  epoch_.fetch_add(1);
}

}  // namespace neuron
