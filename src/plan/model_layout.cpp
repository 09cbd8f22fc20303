#include "plan/model_layout.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace willitrun {
namespace {

constexpr int kMaxNesting = 6;

const ModelConfig& empty_config() {
  static const ModelConfig config = *ModelConfig::parse("{}");
  return config;
}

bool contains(const std::vector<std::string>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

std::string prefixed(const std::string& path, const std::string& name) {
  return path.empty() ? name : path + "." + name;
}

ConfigRecord config_record(const PlanTable& table, const std::string& type) {
  const auto record = table.type(type);
  return record ? record->config : ConfigRecord{};
}

/// The type of a nested configuration: what it says where its class is open, else what its place makes it.
std::string part_type(const ConfigRecord& outer, const std::string& part, const std::optional<ModelConfig>& inner) {
  const auto usual = outer.sub_types.find(part);
  const bool is_open = contains(outer.open_subs, part);
  const bool is_fixed = !is_open && usual != outer.sub_types.end() && !usual->second.empty();
  if (inner && !is_fixed)
    if (auto type = inner->text("model_type")) {
      const auto renamed = outer.renamed_subs.find(*type);
      return renamed == outer.renamed_subs.end() ? *type : renamed->second;
    }
  return usual == outer.sub_types.end() ? std::string() : usual->second;
}

/// A nested configuration that is not given, as the outer class makes it.
ModelConfig default_part(const ConfigRecord& outer, const std::string& part) {
  const auto fields = outer.sub_defaults.find(part);
  if (fields == outer.sub_defaults.end()) return empty_config();
  std::vector<std::string> texts;
  for (const auto& [field, value] : fields->second) texts.push_back(fmt::format(R"("{}":{})", field, value));
  return ModelConfig::parse(fmt::format("{{{}}}", join(texts, ","))).value_or(empty_config());
}

/// A nested configuration with its type; nothing when the configuration says null, which leaves the part out.
struct Nested {
  ModelConfig config;
  std::string type;
};

std::optional<Nested> nested_config(const PlanTable& table, const ModelConfig& outer, const std::string& outer_type,
                                    const std::string& path) {
  Nested nested{outer, outer_type};
  if (path.empty()) return nested;
  for (const std::string_view part : split(path, '.')) {
    const auto inner = nested.config.object(part);
    const ConfigRecord record = config_record(table, nested.type);
    if (!inner && contains(record.optional_subs, part)) return std::nullopt;
    nested.type = part_type(record, std::string(part), inner);
    nested.config = inner ? *inner : default_part(record, std::string(part));
  }
  return nested;
}

class Composer {
 public:
  Composer(const PlanTable& table, ModelLayout& layout) : table_(table), layout_(layout) {}

  /// Adds a class and what hangs in it. `plan_path` is where its plan rules go; absent when nobody hands them up.
  void add(const std::string& class_name, const std::string& type, const ModelConfig& config, const std::string& path,
           bool hands_up_plan, int depth) {
    const auto record = table_.model_class(class_name);
    if (!record || depth > kMaxNesting) return;
    const std::size_t owner = layout_.configs.size();
    layout_.configs.emplace_back(config, config_record(table_, type));
    layout_.sub_models.push_back({path, class_name, type});
    add_tensors(*record, path);
    add_rules(*record, path, owner, hands_up_plan);
    for (const auto* list : {&record->ignored})
      layout_.ignored.insert(layout_.ignored.end(), list->begin(), list->end());
    layout_.keep_fp32.insert(layout_.keep_fp32.end(), record->keep_fp32.begin(), record->keep_fp32.end());
    layout_.keep_fp32_strict.insert(layout_.keep_fp32_strict.end(), record->keep_fp32_strict.begin(),
                                    record->keep_fp32_strict.end());
    for (const Slot& slot : record->slots) add_slot(slot, type, config, path, hands_up_plan, depth);
  }

 private:
  void add_tensors(const ClassRecord& record, const std::string& path) {
    const ConfigFields& fields = layout_.configs.back();
    for (const auto& [name, dtype] : record.params)
      layout_.tensors.try_emplace(prefixed(path, name), Registered{dtype, false});
    for (const auto& [name, dtype] : record.buffers)
      layout_.tensors.try_emplace(prefixed(path, name), Registered{dtype, true});
    const auto depth = fields.integer("num_hidden_layers").value_or(0);
    const bool is_depth_given = fields.config().integer("num_hidden_layers").has_value();
    for (const std::string& list : record.layer_lists)
      layout_.layer_lists.push_back(
          {prefixed(path, list), static_cast<std::uint64_t>(std::max<std::int64_t>(depth, 0)), is_depth_given});
    const auto kinds = fields.layer_types();
    for (const UnsavedBuffer& buffer : record.unsaved) {
      const auto elements = buffer.elements.empty() ? std::nullopt : fields.evaluate(buffer.elements);
      if (!elements) {
        layout_.unsized_buffers.push_back(prefixed(path, buffer.name));
        continue;
      }
      layout_.buffers.push_back(
          {prefixed(path, buffer.name), buffer.dtype, *elements, instances(buffer, kinds, depth)});
    }
  }

  static std::uint64_t instances(const UnsavedBuffer& buffer, const std::vector<std::string>& kinds,
                                 std::int64_t depth) {
    if (!buffer.with_layer_type.empty() && !contains(kinds, buffer.with_layer_type)) return 0;
    if (buffer.in_every_layer) return static_cast<std::uint64_t>(std::max<std::int64_t>(depth, 0));
    if (buffer.in_layer_types.empty()) return buffer.instances;
    return static_cast<std::uint64_t>(std::count_if(kinds.begin(), kinds.end(), [&](const std::string& kind) {
      return std::find(buffer.in_layer_types.begin(), buffer.in_layer_types.end(), kind) != buffer.in_layer_types.end();
    }));
  }

  void add_rules(const ClassRecord& record, const std::string& path, std::size_t owner, bool hands_up_plan) {
    if (hands_up_plan) {
      for (const auto& [name, style] : record.tp_plan)
        layout_.tp_plan.insert_or_assign(prefixed(path, name), PlanRule{style, owner});
      for (const auto& [name, style] : record.ep_plan)
        layout_.ep_plan.insert_or_assign(prefixed(path, name), PlanRule{style, owner});
    }
    const bool is_tied = layout_.configs[owner].flag("tie_word_embeddings");
    for (const auto& [follower, source] : record.ties) {
      layout_.tie_candidates.emplace_back(prefixed(path, follower), prefixed(path, source));
      if (is_tied) layout_.ties.emplace_back(prefixed(path, follower), prefixed(path, source));
    }
  }

  void add_slot(const Slot& slot, const std::string& type, const ModelConfig& config, const std::string& path,
                bool hands_up_plan, int depth) {
    std::optional<Nested> nested = Nested{empty_config(), slot.type};
    if (slot.config) nested = nested_config(table_, config, type, *slot.config);
    if (!nested) return;
    if (nested->type.empty()) nested->type = slot.type;
    if (nested->type != slot.type && !table_.knows_type(nested->type)) layout_.unknown_types.push_back(nested->type);
    add(class_in(slot, nested->type), nested->type, nested->config, prefixed(path, slot.at),
        hands_up_plan && slot.hands_up_plan, depth + 1);
  }

  /// The class that fills a slot: the usual one, or for another type the one of the same kind.
  std::string class_in(const Slot& slot, const std::string& type) const {
    if (type == slot.type) return slot.class_name;
    const auto usual = table_.type(slot.type);
    const auto other = table_.type(type);
    if (!other) return slot.class_name;
    if (usual && slot.class_name == usual->causal && !other->causal.empty()) return other->causal;
    return other->base.empty() ? slot.class_name : other->base;
  }

  const PlanTable& table_;
  ModelLayout& layout_;
};

}  // namespace

std::optional<ModelLayout> make_layout(const PlanTable& table, const std::string& class_name, const std::string& type,
                                       const ModelConfig& config) {
  const auto record = table.model_class(class_name);
  if (!record) return std::nullopt;
  ModelLayout layout;
  layout.base_prefix = record->base_prefix;
  layout.compiles = record->compiles;
  // A class for text alone may be asked for with the configuration of a larger model: it takes its own part of it.
  std::optional<Nested> own = Nested{config, type};
  if (!record->type.empty() && record->type != type)
    for (const auto& [part, part_type_name] : config_record(table, type).sub_types)
      if (part_type_name == record->type) own = nested_config(table, config, type, part);
  if (!own) return std::nullopt;
  Composer(table, layout).add(class_name, own->type, own->config, "", true, 0);
  return layout;
}

std::string with_wildcards(std::string_view name) {
  std::string out;
  out.reserve(name.size());
  for (std::size_t start = 0; start <= name.size();) {
    const std::size_t dot = std::min(name.find('.', start), name.size());
    const std::string_view part = name.substr(start, dot - start);
    const bool is_number = !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
    if (start > 0) out.push_back('.');
    out += is_number ? std::string_view("*") : part;
    start = dot + 1;
  }
  return out;
}

const PlanRule* rule_for(const std::map<std::string, PlanRule, std::less<>>& plan, std::string_view parameter) {
  if (const auto own = plan.find(parameter); own != plan.end()) return &own->second;
  const std::size_t dot = parameter.rfind('.');
  if (dot == std::string_view::npos) return nullptr;
  const auto module = plan.find(parameter.substr(0, dot));
  return module == plan.end() ? nullptr : &module->second;
}

ConfigFields text_fields(const PlanTable& table, const ConfigFields& whole, std::string& type) {
  // The names that transformers tries (configuration_utils.py, get_text_config), and one that holds the others.
  ModelConfig outer = whole.config();
  ConfigRecord outer_record = whole.record();
  if (const auto thinker = outer.object("thinker_config")) {
    outer = *thinker;
    outer_record = config_record(table, thinker->text("model_type").value_or(""));
  }
  for (const std::string name : {"text_config", "decoder", "generator", "text_encoder", "llm_config"}) {
    const auto nested = outer.object(name);
    const auto default_type = outer_record.sub_types.find(name);
    if (!nested && (default_type == outer_record.sub_types.end() || default_type->second.empty())) continue;
    if (!nested && outer.has("num_hidden_layers")) continue;  // older files keep the text fields at the top
    const ModelConfig config = nested ? *nested : empty_config();
    if (const std::string found = part_type(outer_record, name, nested); !found.empty()) type = found;
    return ConfigFields(config, config_record(table, type));
  }
  return whole;
}

}  // namespace willitrun
