#include "plan/model_identity.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace willitrun {
namespace {

bool is_generative(std::string_view architecture) {
  for (const std::string_view ending :
       {"ForCausalLM", "LMHeadModel", "ForConditionalGeneration", "ForVision2Seq", "ForImageTextToText", "LMHead"})
    if (architecture.ends_with(ending)) return true;
  return false;
}

/// Architectures of heads that do something else; unknown endings are not held against a model.
bool is_other_task(std::string_view architecture) {
  for (const std::string_view ending :
       {"Model", "ForMaskedLM", "ForSequenceClassification", "ForTokenClassification", "ForQuestionAnswering",
        "ForMultipleChoice", "ForPreTraining", "ForImageClassification", "ForSpeechSeq2Seq", "ForCTC"})
    if (architecture.ends_with(ending)) return !is_generative(architecture);
  return false;
}

/// Remote code that offers a text model: `auto_map` names a class for it.
std::optional<std::string> remote_class(const ModelConfig& config) {
  const auto map = config.object("auto_map");
  if (!map) return std::nullopt;
  for (const std::string_view kind :
       {"AutoModelForCausalLM", "AutoModelForImageTextToText", "AutoModelForVision2Seq", "AutoModel", "AutoConfig"})
    if (auto name = map->text(kind)) return name;
  return "its own classes";
}

void choose_class(const TypeRecord& record, ModelIdentity& identity) {
  // Some old files write a class in other letters: `MPTForCausalLM`, `LLaMAForCausalLM`.
  const auto has = [&](const std::string& name) {
    return !name.empty() &&
           std::any_of(identity.architectures.begin(), identity.architectures.end(),
                       [&](const std::string& architecture) { return to_lower(architecture) == to_lower(name); });
  };
  if (has(record.image_text) || (record.causal.empty() && !record.image_text.empty())) {
    identity.class_name = record.image_text;
    identity.task = kImageTextToText;
  } else if (!record.causal.empty()) {
    identity.class_name = record.causal;
    identity.task = record.causal == record.image_text ? kImageTextToText : kTextGeneration;
  }
  if (!identity.architectures.empty() && !identity.class_name.empty() && !has(identity.class_name) &&
      is_generative(identity.architectures[0]))
    identity.notes.push_back({PlanCode::ConfigDisagrees,
                              fmt::format("config.json names the architecture {}, but its type {} is loaded as {}",
                                          identity.architectures[0], identity.model_type, identity.class_name)});
}

}  // namespace

ModelIdentity identify(const ModelConfig& config, const PlanTable& table) {
  ModelIdentity identity;
  identity.model_type = config.text("model_type").value_or("");
  identity.architectures = config.texts("architectures");
  const auto record = table.type(identity.model_type);
  if (identity.model_type.empty() || !table.knows_type(identity.model_type)) {
    if (const auto remote = remote_class(config))
      identity.obstacle = PlanNote{
          PlanCode::RemoteCode, fmt::format("model type '{}' is not part of Transformers {}: it needs remote code ({})",
                                            identity.model_type, table.version(), *remote)};
    else if (identity.model_type.empty())
      identity.obstacle = PlanNote{PlanCode::BadConfig, "config.json has no model_type"};
    else
      identity.obstacle =
          PlanNote{PlanCode::UnknownModelType,
                   fmt::format("model type '{}' is unknown to Transformers {}", identity.model_type, table.version())};
    return identity;
  }
  if (record) choose_class(*record, identity);
  if (identity.class_name.empty()) {
    identity.obstacle = PlanNote{
        PlanCode::UnsupportedTask,
        fmt::format("models of type '{}' generate no text in Transformers {}", identity.model_type, table.version())};
  } else if (!identity.architectures.empty() &&
             std::all_of(identity.architectures.begin(), identity.architectures.end(), is_other_task)) {
    identity.obstacle =
        PlanNote{PlanCode::UnsupportedTask, fmt::format("{} is a model for another task than {} and {}",
                                                        identity.architectures[0], kTextGeneration, kImageTextToText)};
    identity.task.clear();
  }
  return identity;
}

}  // namespace willitrun
