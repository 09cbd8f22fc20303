#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "plan/formula.h"

namespace boost::json {
class object;
}

namespace willitrun {

/// A sub-model inside a model class.
struct Slot {
  std::string at;          ///< Where it hangs, `model.vision_tower`.
  std::string class_name;  ///< Its class when its configuration has the type `type`.
  std::string type;
  std::optional<std::string>
      config;                  ///< Path of its configuration in the outer one; empty is the same; absent is none.
  bool hands_up_plan = false;  ///< Its parallel plan becomes part of the outer plan.
};

/// A tensor that a class registers but does not save.
struct UnsavedBuffer {
  std::string name;
  std::string dtype;  ///< PyTorch's name; empty for the model's own.
  Formula elements;   ///< Empty when no formula was found.
  bool in_every_layer = false;
  std::vector<std::string> in_layer_types;
  std::string with_layer_type;  ///< There is none unless some layer is of this type; empty: always.
  std::uint64_t instances = 1;  ///< When neither of the two above says how many there are.
};

/// What a model class registers, holds, shards and ties. Tensor names have `*` for numbers.
struct ClassRecord {
  std::string base_prefix;
  std::string type;                                          ///< The type of the configuration that it is built from.
  std::vector<std::pair<std::string, std::string>> params;   ///< name -> PyTorch's dtype, empty for the model's own.
  std::vector<std::pair<std::string, std::string>> buffers;  ///< The same for saved buffers.
  std::vector<Slot> slots;
  std::vector<std::pair<std::string, std::string>> ties;  ///< tied name -> the one that it follows
  std::map<std::string, std::string> tp_plan, ep_plan;    ///< name -> style
  std::vector<std::string> ignored;                       ///< Patterns of checkpoint names that are left unread.
  std::vector<std::string> keep_fp32, keep_fp32_strict;   ///< Parts kept in float32 (the first only under float16).
  std::vector<std::string> layer_lists;                   ///< Lists that num_hidden_layers counts.
  std::vector<UnsavedBuffer> unsaved;
  bool compiles = false;
};

/// Which kind of attention each layer has when the configuration does not list them.
struct LayerRule {
  std::vector<std::string> start;  ///< The first layers, before the cycle begins.
  std::vector<std::string> cycle;
  std::vector<std::string> without_window;  ///< The cycle when there is no sliding window; empty: the same.
  std::string interval_field;               ///< Field that gives the length of the cycle; empty: none.
  std::string windowed_by;                  ///< Field that turns sliding windows on; empty: none.
  std::string listed_by;  ///< Field with a number for each layer, `field` or `object.field`; empty: none.
  std::map<std::string, std::string> listed;   ///< What those numbers mean.
  std::map<std::string, std::string> renamed;  ///< Old names of kinds of layers.
};

/// A tensor of the static cache of one layer.
struct CacheTensor {
  std::string name;
  std::string dtype;  ///< PyTorch's name; empty for the model's own.
  /// One formula per dimension; an empty one stands for the length of the cache.
  std::vector<Formula> dimensions;
};

/// What a configuration class means where a configuration is silent.
struct ConfigRecord {
  std::map<std::string, std::string> aliases;    ///< attribute -> name in config.json
  std::map<std::string, std::string> sub_types;  ///< nested configuration -> its type
  std::vector<std::string>
      open_subs;  ///< Nested configurations that say their type themselves; others are what they are.
  std::map<std::string, std::string> renamed_subs;  ///< Types that open ones may say -> what they are read as.
  std::vector<std::string> optional_subs;           ///< Nested configurations that are left out unless they are given.
  /// Fields of a nested configuration that is not given, where they differ from its class's own defaults.
  std::map<std::string, std::map<std::string, double>> sub_defaults;
  std::map<std::string, double> defaults;
  std::map<std::string, Product> derived, nulls, forced;  ///< How a field follows when it is absent, null, or always.
  std::string rope_from;               ///< Field that gives the turned part of a head as a size; empty: none.
  std::map<std::string, double> rope;  ///< Default partial rotary factor by layer type ("" for all).
  LayerRule layers;
};

/// One model type.
struct TypeRecord {
  std::string causal, image_text, base;  ///< Classes; empty when there is none.
  std::string unbuildable;               ///< Why the export could not build the class; empty when it could.
  ConfigRecord config;
  std::map<std::string, std::vector<CacheTensor>> cache;  ///< layer type -> tensors
  bool knows_cache = false;
};

/// One step of the conversion of checkpoint names, as plan_table.md describes it.
struct Transform {
  std::string kind, pattern;
  std::vector<std::pair<int, int>> branches;  ///< index into sources, number of the group
  std::vector<std::string> sources, targets;
  struct Operation {
    std::string name;
    std::vector<int> arguments;
  };
  std::vector<Operation> operations;
  bool is_converter() const { return !operations.empty(); }
};

/// Reads one record of a plan table (docs/formats/plan_table.md).
TypeRecord type_record(const boost::json::object& object);
ClassRecord class_record(const boost::json::object& object);
Transform transform(const boost::json::object& object);

}  // namespace willitrun
