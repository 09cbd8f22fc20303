#include "verify/classify.h"
#include "verify/signature.h"

namespace willitrun {
namespace {

/// The class of a plan that does not fit; empty when the code is only ever a note or means TOO_LARGE.
std::string_view class_of(PlanCode code) {
  switch (code) {
    case PlanCode::BadHeader:
    case PlanCode::NotSafetensors:
    case PlanCode::IndexMismatch:
    case PlanCode::UnsafePath:
    case PlanCode::DuplicateTensor:
    case PlanCode::ConfigDisagrees:
    case PlanCode::DeclaredTotalWrong: return "corrupt_weights";
    case PlanCode::NoWeights:
    case PlanCode::GhostTensor:
    case PlanCode::MissingShard:
    case PlanCode::TiedMismatch: return "missing_weights";
    case PlanCode::Gated: return "gated_repo";
    case PlanCode::NotFound: return "repo_not_found";
    case PlanCode::Network: return "network";
    case PlanCode::BadConfig: return "bad_config";
    case PlanCode::UnknownModelType:
    case PlanCode::UnsupportedTask: return "unknown_model_type";
    case PlanCode::RemoteCode: return "remote_code_required";
    case PlanCode::NoPlan: return "no_plan";
    case PlanCode::HeadsNotDivisible: return "tp_heads_indivisible";
    case PlanCode::ExpertsNotDivisible: return "expert_shard_mismatch";
    case PlanCode::VocabNotDivisible: return "checkpoint_shard_mismatch";
    case PlanCode::QuantUnsupported: return "quant_unsupported";
    case PlanCode::Tokenizer: return "tokenizer_missing";
    case PlanCode::StaticCache: return "static_cache_unsupported";
    case PlanCode::TooLarge:
    case PlanCode::QuantDequantised:
    case PlanCode::TiedHeadInFile:
    case PlanCode::UnusedShard:
    case PlanCode::UnsizedBuffers:
    case PlanCode::StrayWeights: return {};
  }
  return {};
}

std::string_view class_of(Code code) {
  switch (code) {
    case Code::PermissionDenied: return "gated_repo";
    case Code::NotFound: return "repo_not_found";
    case Code::Unavailable:
    case Code::Timeout: return "network";
    case Code::ResourceExhausted: return "disk_full";
    case Code::Cancelled: return "process_killed";
    case Code::Corruption: return "corrupt_weights";
    case Code::InvalidArgument:
    case Code::AlreadyExists:
    case Code::Io:
    case Code::Internal: return "harness_error";
  }
  return "harness_error";
}

}  // namespace

std::optional<Failure> failure_of(const Plan& plan) {
  if (plan.status == PlanStatus::Fits || plan.status == PlanStatus::TooLarge || !plan.reason) return std::nullopt;
  const std::string_view failure_class = class_of(plan.reason->code);
  const std::string_view code = to_text(plan.reason->code);
  return make_failure(failure_class.empty() ? "harness_error" : failure_class, {std::string(code)},
                      plan.reason->message);
}

Failure failure_of(const Error& error) {
  return make_failure(class_of(error.code), {std::string(to_text(error.code))}, error.message);
}

}  // namespace willitrun
