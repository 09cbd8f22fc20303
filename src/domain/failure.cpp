#include "domain/failure.h"

#include <algorithm>

namespace willitrun {
namespace {

using enum Stage;
constexpr ChargedTo kModel = ChargedTo::Model;
constexpr ChargedTo kStack = ChargedTo::Stack;
constexpr ChargedTo kInfra = ChargedTo::Infra;

constexpr FailureClass kClasses[] = {
    {"unknown_model_type", Load, kModel},
    {"remote_code_required", Load, kModel},
    {"missing_weights", Load, kModel},
    {"corrupt_weights", Load, kModel},
    {"size_mismatch", Load, kModel},
    {"quant_unsupported", Load, kModel},
    {"tokenizer_missing", Load, kModel},
    {"bad_config", Load, kModel},
    {"gated_repo", Load, kModel},
    {"repo_not_found", Load, kModel},
    {"rate_limited", Load, kInfra},
    {"network", Load, kInfra},
    {"missing_dependency", Load, kModel},
    {"load_error", Load, kModel},

    {"no_plan", Shard, kModel},
    {"tp_heads_indivisible", Shard, kModel},
    {"kv_head_split", Shard, kModel},
    {"expert_shard_mismatch", Shard, kModel},
    {"checkpoint_shard_mismatch", Shard, kModel},
    {"unsupported_core_count", Shard, kModel},
    {"static_cache_tp", Shard, kModel},
    {"rank_graph_mismatch", Shard, kStack},
    {"shard_error", Shard, kModel},

    {"compiler_internal", Compile, kStack},
    {"compiler_crash", Compile, kStack},
    {"compile_timeout", Compile, kStack},
    {"compiler_host_oom", Compile, kStack},
    {"compiler_device_oom", Compile, kModel},
    {"too_many_instructions", Compile, kModel},
    {"unsupported_op", Compile, kModel},
    {"no_compute_ops", Compile, kModel},
    {"unsupported_dtype", Compile, kModel},
    {"integer_policy", Compile, kStack},
    {"op_constraint", Compile, kModel},
    {"access_pattern", Compile, kModel},
    {"custom_call", Compile, kStack},
    {"nki", Compile, kStack},
    {"bad_compiler_flag", Compile, kInfra},
    {"dynamic_shape", Compile, kModel},
    {"data_dependent_guard", Compile, kModel},
    {"graph_break", Compile, kModel},
    {"recompile_limit", Compile, kModel},
    {"static_cache_unsupported", Compile, kModel},
    {"not_compiled", Compile, kModel},
    {"compile_error", Compile, kModel},

    {"device_oom", Execute, kModel},
    {"nrt_timeout", Execute, kStack},
    {"collective_timeout", Execute, kStack},
    {"nrt_invalid", Execute, kStack},
    {"nrt_execute_error", Execute, kStack},
    {"nrt_load_failed", Execute, kStack},
    {"oob_access", Execute, kStack},
    {"missing_backend_op", Execute, kModel},
    {"dtype_mismatch", Execute, kModel},
    {"device_mismatch", Execute, kModel},
    {"device_assert", Execute, kModel},
    {"cache_bug", Execute, kModel},
    {"runtime_state", Execute, kStack},
    {"crash", Execute, kModel},
    {"killed_for_memory", Execute, kModel},
    {"limit_exceeded", Execute, kModel},
    {"timeout", Execute, kModel},
    {"hang", Execute, kModel},
    {"runtime_error", Execute, kModel},

    {"token_mismatch", Verify, kModel},
    {"numeric_drift", Verify, kModel},
    {"not_fluent", Verify, kModel},
    {"nan_output", Verify, kModel},
    {"numerical_error", Verify, kModel},
    {"reference_failed", Verify, kModel},

    {"cores_busy", Infra, kInfra},
    {"device_hw", Infra, kInfra},
    {"no_device", Infra, kInfra},
    {"driver_missing", Infra, kInfra},
    {"missing_system_library", Infra, kInfra},
    {"missing_package", Infra, kInfra},
    {"library_mismatch", Infra, kInfra},
    {"runtime_version", Infra, kInfra},
    {"wrong_package", Infra, kInfra},
    {"process_killed", Infra, kInfra},
    {"disk_full", Infra, kInfra},
    {"worker_lost", Infra, kInfra},
    {"harness_error", Infra, kInfra},
};

}  // namespace

std::span<const FailureClass> failure_classes() { return kClasses; }

std::optional<FailureClass> find_failure_class(std::string_view name) {
  const auto* found = std::ranges::find(kClasses, name, &FailureClass::name);
  if (found == std::end(kClasses)) return std::nullopt;
  return *found;
}

}  // namespace willitrun
