#include "script/script.h"

#include <fmt/format.h>

#include "script/dialect.h"
#include "script/embedded_template.h"
#include "script/header.h"
#include "script/python_text.h"
#include "script/template.h"

namespace willitrun {
namespace {

constexpr std::string_view kText = "text-generation";
constexpr std::string_view kImage = "image-text-to-text";

/// Checks what a caller may get wrong, and returns the dialect to write in.
Result<Dialect> check(const ScriptInput& input) {
  const Plan& plan = input.plan;
  if (plan.status != PlanStatus::Fits || !plan.mode || plan.cores < 1)
    return fail(Code::InvalidArgument, fmt::format("no script for '{}': its plan does not fit", plan.model.id));
  if (plan.model.task != kText && plan.model.task != kImage)
    return fail(Code::InvalidArgument, fmt::format("no script for the task '{}'", plan.model.task));
  const auto dialect = find_dialect(plan.transformers);
  if (!dialect)
    return fail(Code::InvalidArgument, fmt::format("no script is known for transformers '{}' (known: {})",
                                                   plan.transformers, known_versions()));
  if ((*plan.mode == Mode::Single) != (plan.cores == 1))
    return fail(Code::InvalidArgument, fmt::format("mode {} over {} cores", to_text(*plan.mode), plan.cores));
  if (*plan.mode != Mode::Single && sharding_statements(*dialect, *plan.mode).empty())
    return fail(Code::InvalidArgument,
                fmt::format("transformers {} cannot shard in mode {}", plan.transformers, to_text(*plan.mode)));
  return *dialect;
}

TemplateValues values_of(const ScriptInput& input, const Dialect& dialect) {
  const Plan& plan = input.plan;
  const bool is_image = plan.model.task == kImage;
  const bool is_sharded = plan.cores > 1;
  const std::string_view sharding = sharding_statements(dialect, *plan.mode);
  const std::string_view prompt = input.prompt.empty() ? default_prompt(plan.model.task) : input.prompt;
  const auto& revision = plan.model.revision;
  return {
      .conditions = {{"image", is_image},
                     {"neuron", input.target.device != "cpu"},
                     {"sharded", is_sharded},
                     {"distributed_config", sharding.contains("DistributedConfig")},
                     {"dtensor", dialect.is_sharded_as_dtensor},
                     {"keeps_cache", dialect.keeps_cache},
                     {"late_hooks", is_image && dialect.late_hooks}},
      .texts = {{"model_text", docstring_text(plan.model.id)},
                {"target_text", docstring_text(input.target.name)},
                {"launcher_text", is_sharded ? fmt::format("; it starts its {} ranks itself", plan.cores) : ""},
                {"facts", render_header(input)},
                {"model", python_literal(plan.model.id)},
                {"revision", revision.empty() ? "None" : python_literal(revision)},
                {"task", python_literal(plan.model.task)},
                {"mode", python_literal(to_text(*plan.mode))},
                {"cores", fmt::to_string(plan.cores)},
                {"device", python_literal(input.target.device)},
                {"backend", python_literal(input.target.compile_backend)},
                {"transformers", python_literal(plan.transformers)},
                {"new_tokens", fmt::to_string(plan.tokens.new_tokens)},
                {"prompt", python_literal(prompt)},
                {"auto_class", is_image ? "AutoModelForImageTextToText" : "AutoModelForCausalLM"},
                {"sharding", std::string(sharding)},
                {"trust", input.remote_code ? ", trust_remote_code=True" : ""},
                {"cache", std::string(dialect.cache_field)}},
  };
}

}  // namespace

std::string_view default_prompt(std::string_view task) {
  return task == kImage ? "Describe this image in one sentence." : "What is the capital of France?";
}

Result<std::string> render_run_py(const ScriptInput& input) {
  ASSIGN_OR_RETURN(const Dialect dialect, check(input));
  return fill_template(kRunPyTemplate, values_of(input, dialect));
}

}  // namespace willitrun
