#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "plan/config_fields.h"
#include "plan/plan_table.h"

namespace willitrun {

/// A tensor that the model registers under a name with `*` for numbers.
struct Registered {
  std::string dtype;  ///< PyTorch's name of a fixed dtype; empty for the model's own.
  bool is_buffer = false;
};

/// A rule of a parallel plan and the configuration of the sub-model that it comes from.
struct PlanRule {
  std::string style;
  std::size_t owner = 0;  ///< Index into ModelLayout::configs.
};

/// A list of layers: its name and how many there are.
struct LayerList {
  std::string name;
  std::uint64_t depth = 0;
  bool is_depth_given = false;  ///< By the configuration itself, where the class would have a default.
};

/// One model class or sub-model, where it hangs.
struct SubModel {
  std::string path;  ///< Empty for the whole.
  std::string class_name, type;
};

/// Tensors that are registered but not saved, all of one kind.
struct BufferGroup {
  std::string name, dtype;
  std::uint64_t elements = 0, count = 0;
};

/// A model class with all its sub-models, put together for one configuration.
struct ModelLayout {
  std::unordered_map<std::string, Registered> tensors;
  std::map<std::string, PlanRule, std::less<>> tp_plan, ep_plan;
  std::vector<std::pair<std::string, std::string>> ties;            ///< Those that the configuration asks for.
  std::vector<std::pair<std::string, std::string>> tie_candidates;  ///< Those that the classes know, asked for or not.
  std::vector<std::string> ignored, keep_fp32, keep_fp32_strict;
  std::vector<LayerList> layer_lists;
  std::vector<SubModel> sub_models;  ///< Outer before inner.
  std::vector<BufferGroup> buffers;
  std::vector<std::string> unsized_buffers;  ///< Registered, but of a size that the table does not say.
  std::vector<ConfigFields> configs;         ///< [0] is that of the whole model.
  std::vector<std::string> unknown_types;    ///< Types of parts that the version does not know.
  std::string base_prefix;
  bool compiles = false;
};

/// Puts together the layout of class `class_name` for a configuration of type `type`; nothing when the table does not
/// have the class.
std::optional<ModelLayout> make_layout(const PlanTable& table, const std::string& class_name, const std::string& type,
                                       const ModelConfig& config);

/// Returns `name` with `*` for each number between dots: `model.layers.3.weight` -> `model.layers.*.weight`.
std::string with_wildcards(std::string_view name);

/// The style that a plan gives a parameter: its own rule or that of its module (transformers, _get_parameter_plan).
const PlanRule* rule_for(const std::map<std::string, PlanRule, std::less<>>& plan, std::string_view parameter);

/// The configuration of the text part of a model: itself where there is none nested.
ConfigFields text_fields(const PlanTable& table, const ConfigFields& whole, std::string& type);

}  // namespace willitrun
