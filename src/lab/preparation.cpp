#include "lab/preparation.h"

#include <fmt/format.h>

#include "domain/stack.h"
#include "os/sha256.h"
#include "script/script.h"

namespace willitrun {
namespace {

PlanNote why_unavailable(const Error& error) {
  switch (error.code) {
    case Code::NotFound: return {PlanCode::NotFound, error.message};
    case Code::PermissionDenied: return {PlanCode::Gated, error.message};
    default: return {PlanCode::Network, error.message};
  }
}

}  // namespace

Plan plan_of_missing(const Error& error, const PlanTable& table, const Target& target, const PlanRequest& request) {
  return make_failed_plan(PlanStatus::Unavailable, why_unavailable(error), table, target, request);
}

Plan plan_files(ModelFiles& files, const PlanTable& table, const Target& target, const PlanRequest& request) {
  const auto checkpoint = read_checkpoint(files);
  if (!checkpoint) return plan_of_missing(checkpoint.error(), table, target, request);
  if (*checkpoint) return make_plan(**checkpoint, table, target, request);
  const PlanNote& reason = checkpoint->error();
  const bool has_other_format = reason.code == PlanCode::NoWeights;
  return make_failed_plan(has_other_format ? PlanStatus::CannotRun : PlanStatus::Invalid, reason, table, target,
                          request);
}

Result<std::string> write_script(const Plan& plan, const Bench& bench, const AttemptRequest& request) {
  return render_run_py({.plan = plan,
                        .target = bench.target,
                        .stack = bench.interpreter.stack,
                        .extra_packages = request.packages.pins,
                        .remote_code = request.remote_code});
}

std::string canonical_environment(const Target& target) {
  std::string text;
  for (const auto& [name, value] : target.environment) text += fmt::format("{}={}\n", name, value);
  return text;
}

std::string digest_of_inputs(const FoundModel& model, const Plan& plan, const std::string& script, const Bench& bench,
                             const AttemptRequest& request, bool sandboxed) {
  std::string text = fmt::format("inputs 1\nmodel {}\ntarget {} {}\n{}{}{}", model.identity, bench.target.name,
                                 bench.target.compile_backend, canonical_environment(bench.target),
                                 canonical_text(bench.interpreter.stack), bench.interpreter.package_lock);
  text +=
      fmt::format("plan {} {} {}\n", to_text(plan.status), plan.reason ? to_text(plan.reason->code) : "", plan.cores);
  text += fmt::format("script {}\nremote_code {}\nsandboxed {}\nreference {}\n", sha256_hex(script),
                      request.remote_code, sandboxed, bench.with_reference);
  const SandboxLimits& limits = bench.limits;
  text += fmt::format("limits {} {} {} {} {} {}\n", limits.memory_bytes, limits.processes, limits.scratch_bytes,
                      limits.file_bytes, bench.limit_s, bench.silence_s);
  return sha256_hex(text);
}

Result<std::string> inputs_digest(const Lab& lab, const Bench& bench, const AttemptRequest& request) {
  ASSIGN_OR_RETURN(FoundModel model, find_model(lab.hub, request.model));
  const Plan plan = plan_files(*model.files, bench.plan_table, bench.target, {model.id, model.revision});
  std::string script;
  if (plan.status == PlanStatus::Fits) {
    ASSIGN_OR_RETURN(script, write_script(plan, bench, request));
  }
  return digest_of_inputs(model, plan, script, bench, request, lab.executor.is_sandboxed());
}

}  // namespace willitrun
