#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checkpoint/model_config.h"
#include "domain/plan.h"
#include "plan/plan_table.h"

namespace willitrun {

/// The tasks that are planned for, by the Hub's pipeline tags.
inline constexpr std::string_view kTextGeneration = "text-generation";
inline constexpr std::string_view kImageTextToText = "image-text-to-text";

/// Which class of the library loads a model, and for which task; or why none does.
struct ModelIdentity {
  std::string model_type;
  std::vector<std::string> architectures;
  std::string class_name;  ///< Empty when no class loads it.
  std::string task;        ///< Empty when the task is none of ours.
  std::optional<PlanNote> obstacle;
  std::vector<PlanNote> notes;
};

/// Finds the class as the library's auto classes do: by the configuration's type; `architectures` decide between the
/// task classes of one type.
ModelIdentity identify(const ModelConfig& config, const PlanTable& table);

}  // namespace willitrun
