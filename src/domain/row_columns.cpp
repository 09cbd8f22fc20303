#include "domain/row_columns.h"

#include <algorithm>
#include <utility>

namespace willitrun {
namespace {

template <class T>
constexpr ColumnType column_type() {
  if constexpr (std::is_same_v<T, bool>) return ColumnType::Bool;
  if constexpr (std::is_same_v<T, std::int32_t>) return ColumnType::Int32;
  if constexpr (std::is_same_v<T, std::int64_t>) return ColumnType::Int64;
  if constexpr (std::is_same_v<T, double>) return ColumnType::Double;
  if constexpr (std::is_same_v<T, std::string>) return ColumnType::String;
  if constexpr (std::is_same_v<T, Time>) return ColumnType::Timestamp;
  if constexpr (std::is_same_v<T, std::vector<std::int32_t>>) return ColumnType::Int32List;
  if constexpr (std::is_same_v<T, std::vector<std::string>>) return ColumnType::StringList;
}

template <auto Field>
Cell get_field(const Row& row) {
  const auto& field = row.*Field;
  return field ? Cell(*field) : Cell();
}

template <auto Field>
CellView look_at_field(const Row& row) {
  const auto& field = row.*Field;
  if (!field) return {};
  using Value = typename std::remove_cvref_t<decltype(field)>::value_type;
  if constexpr (std::is_same_v<Value, std::string>)
    return std::string_view(*field);
  else if constexpr (std::is_same_v<Value, std::vector<std::int32_t>>)
    return std::span<const std::int32_t>(*field);
  else if constexpr (std::is_same_v<Value, std::vector<std::string>>)
    return std::span<const std::string>(*field);
  else
    return *field;
}

template <auto Field>
void set_field(Row& row, Cell cell) {
  auto& field = row.*Field;
  using Value = typename std::remove_reference_t<decltype(field)>::value_type;
  if (std::holds_alternative<std::monostate>(cell)) {
    field.reset();
  } else {
    field = std::get<Value>(std::move(cell));
  }
}

template <auto Field>
constexpr RowColumn column(ColumnOrigin origin, std::string_view name, std::string_view meaning) {
  using Value = typename std::remove_reference_t<decltype(std::declval<Row&>().*Field)>::value_type;
  return {name, column_type<Value>(), origin, meaning, get_field<Field>, look_at_field<Field>, set_field<Field>};
}

constexpr auto kPublic = ColumnOrigin::PublicDataset;
constexpr auto kOurs = ColumnOrigin::Ours;

constexpr RowColumn kColumns[] = {
    column<&Row::model_id>(kPublic, "model_id", "Hub id of the model."),
    column<&Row::library>(kPublic, "library", "Library that loads the model: transformers."),
    column<&Row::tp>(kPublic, "tp", "Cores that the model is sharded over; also readable as neuron_cores."),
    column<&Row::runner>(kPublic, "runner", "Kind of run script: text or image-text."),
    column<&Row::result>(kPublic, "result", "Outcome in one word; other systems' words are kept as they are."),
    column<&Row::notes>(kPublic, "notes", "Free text."),
    column<&Row::error>(kPublic, "error", "Failure text, head and tail."),
    column<&Row::exclusion>(kPublic, "exclusion", "Why the model was deliberately not tested."),
    column<&Row::wall_s>(kPublic, "wall_s", "Whole run, compilation included, in whole seconds."),
    column<&Row::hbm_peak_gb>(kPublic, "hbm_peak_gb", "Peak device memory of the fullest core, in 10^9 bytes."),
    column<&Row::hbm_capacity_gb>(kPublic, "hbm_capacity_gb", "Device memory of one core, in 10^9 bytes."),
    column<&Row::cpu_match>(kPublic, "cpu_match", "Outcome of the comparison with the CPU reference."),
    column<&Row::english>(kPublic, "english", "The fluency judge's word."),
    column<&Row::neuronx_cc>(kPublic, "neuronx_cc", "Version of the neuronx-cc compiler; part of the file's identity."),
    column<&Row::library_version>(kPublic, "library_version", "Version of the library; part of the file's identity."),
    column<&Row::transformers>(kPublic, "transformers", "Version of Transformers."),
    column<&Row::accelerate>(kPublic, "accelerate", "Version of Accelerate."),
    column<&Row::torch_neuronx>(kPublic, "torch_neuronx", "Version of torch-neuronx."),
    column<&Row::torch>(kPublic, "torch", "Version of PyTorch."),
    column<&Row::nki>(kPublic, "nki", "Version of the Neuron Kernel Interface."),
    column<&Row::python>(kPublic, "python", "Version of Python."),
    column<&Row::neuron_driver>(kPublic, "neuron_driver", "Version of the Neuron driver."),
    column<&Row::tested_at>(kPublic, "tested_at", "When the attempt started, UTC."),
    column<&Row::run_py>(kPublic, "run_py", "The script that ran, whole."),

    column<&Row::attempt_id>(kOurs, "attempt_id", "Identity of the attempt that the row tells of."),
    column<&Row::model_revision>(kOurs, "model_revision", "Commit of the model's files, 40 hexadecimal digits."),
    column<&Row::task>(kOurs, "task", "The Hub's pipeline tag: text-generation or image-text-to-text."),
    column<&Row::model_type>(kOurs, "model_type", "Architecture name in the model's config.json."),
    column<&Row::target>(kOurs, "target", "Kind of device: trn2, trn2-emulated, cpu."),
    column<&Row::emulated>(kOurs, "emulated", "True when the device only imitates Trainium."),
    column<&Row::mode>(kOurs, "mode", "How the model was spread: single, tp, ep or tp_ep."),
    column<&Row::cores>(kOurs, "cores", "Logical cores of the plan."),
    column<&Row::neuron_cc_flags>(kOurs, "neuron_cc_flags", "NEURON_CC_FLAGS of the run."),
    column<&Row::script_sha256>(kOurs, "script_sha256", "SHA-256 of run_py."),
    column<&Row::package_lock>(kOurs, "package_lock", "Every Python package of the run, one name==version per line."),
    column<&Row::inputs_digest>(kOurs, "inputs_digest", "SHA-256 of everything that the result depends on."),
    column<&Row::prompt>(kOurs, "prompt", "The prompt's text."),
    column<&Row::sandboxed>(kOurs, "sandboxed", "False when the operator switched the sandbox off."),
    column<&Row::limits>(kOurs, "limits", "What the run was allowed, and what held it to that."),
    column<&Row::remote_code>(kOurs, "remote_code", "True when code from the model's repository was allowed to run."),
    column<&Row::local_model>(kOurs, "local_model",
                              "True when the model came from a local folder; such rows are never published."),

    column<&Row::verdict>(kOurs, "verdict", "PASS, FAIL, TOO_LARGE, EXCLUDED, UNTESTED, FLAKY or INDETERMINATE."),
    column<&Row::evidence>(kOurs, "evidence",
                           "What ties a PASS to the reference: tokens, near_tie, logits, fluent or none."),
    column<&Row::reached>(kOurs, "reached", "Last mark of the attempt: resolve ... done."),
    column<&Row::stage>(kOurs, "stage", "Stage of the failure: load, shard, compile, execute, verify, infra."),
    column<&Row::failure_class>(kOurs, "class", "Class of the failure."),
    column<&Row::signature>(kOurs, "signature",
                            "Class with normalised captures; equal for failures with the same cause."),
    column<&Row::charged_to>(kOurs, "charged_to", "Whose failure it is: model, stack or infra."),
    column<&Row::attempts>(kOurs, "attempts", "Attempts that the verdict stands on."),
    column<&Row::exit_status>(kOurs, "exit_status", "Exit status of the script."),
    column<&Row::exit_signal>(kOurs, "exit_signal", "Signal that ended the script."),
    column<&Row::text>(kOurs, "text", "Generated text."),
    column<&Row::reference_text>(kOurs, "reference_text", "Text that the CPU reference generated."),
    column<&Row::tokens>(kOurs, "tokens", "Generated token ids."),
    column<&Row::reference_tokens>(kOurs, "reference_tokens", "Token ids of the CPU reference."),
    column<&Row::first_mismatch>(kOurs, "first_mismatch", "Index of the first token that differs from the reference."),
    column<&Row::margin>(kOurs, "margin",
                         "The reference's logit gap between its two best tokens at the first mismatch."),
    column<&Row::max_logit_difference>(kOurs, "max_logit_difference",
                                       "Largest absolute difference of teacher-forced logits."),
    column<&Row::judge_score>(kOurs, "judge_score",
                              "Mean negative log-likelihood per token under the judge model, in nats."),

    column<&Row::download_s>(kOurs, "download_s", "Seconds spent fetching files."),
    column<&Row::load_s>(kOurs, "load_s", "Seconds from import to weights on the device."),
    column<&Row::compile_s>(kOurs, "compile_s", "Seconds of the first generation that compilation took."),
    column<&Row::first_token_s>(kOurs, "first_token_s", "Seconds to the first token once compiled."),
    column<&Row::tokens_per_s>(kOurs, "tokens_per_s", "New tokens per second once compiled, first token excluded."),
    column<&Row::warm_s>(kOurs, "warm_s", "Seconds of a whole generation once compiled."),
    column<&Row::reference_s>(kOurs, "reference_s",
                              "Seconds of the CPU reference run; absent when it came from the cache."),
    column<&Row::cache_hits>(kOurs, "cache_hits", "Graphs found in the compile cache."),
    column<&Row::cache_misses>(kOurs, "cache_misses", "Graphs that had to be compiled."),
    column<&Row::graphs>(kOurs, "graphs", "Graphs that were captured."),
    column<&Row::fallback_ops>(kOurs, "fallback_ops", "Operators that ran on the CPU instead of the device."),
    column<&Row::planned_bytes_per_core>(kOurs, "planned_bytes_per_core", "Planned bytes of the fullest core."),
    column<&Row::peak_bytes_per_core>(kOurs, "peak_bytes_per_core",
                                      "Measured peak bytes of the fullest core (framework allocator)."),
    column<&Row::capacity_bytes_per_core>(kOurs, "capacity_bytes_per_core", "Device memory of one core."),
    column<&Row::peak_process_bytes>(kOurs, "peak_process_bytes",
                                     "Largest resident memory of a rank's process, where the device has no memory of "
                                     "its own (cpu)."),
    column<&Row::downloads>(kOurs, "downloads", "Downloads in the last 30 days, by the newest ranking."),
    column<&Row::downloads_rank>(kOurs, "downloads_rank", "Place in the task's list by downloads, from 1."),
    column<&Row::trending_rank>(kOurs, "trending_rank", "Place in the task's list by trending score, from 1."),
    column<&Row::other_columns>(kOurs, "other_columns",
                                "Columns of an imported file that this format does not know, as a JSON object."),
};

}  // namespace

std::string_view type_name(ColumnType type) {
  switch (type) {
    case ColumnType::Bool: return "bool";
    case ColumnType::Int32: return "int32";
    case ColumnType::Int64: return "int64";
    case ColumnType::Double: return "double";
    case ColumnType::String: return "string";
    case ColumnType::Timestamp: return "timestamp[ms, tz=UTC]";
    case ColumnType::Int32List: return "list<int32>";
    case ColumnType::StringList: return "list<string>";
  }
  return "";
}

std::span<const RowColumn> row_columns() { return kColumns; }

const RowColumn* find_row_column(std::string_view name) {
  if (name == "neuron_cores") name = "tp";
  const auto* found = std::ranges::find(kColumns, name, &RowColumn::name);
  return found == std::end(kColumns) ? nullptr : found;
}

}  // namespace willitrun
