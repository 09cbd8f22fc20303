// From stored tensors to loaded ones. Names, dtypes and shapes are decided per group of like tensors; only what a
// converter merges (the experts of a layer into one tensor) is counted tensor by tensor.
#include "plan/loading.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/regex.hpp>
#include <map>
#include <optional>
#include <unordered_map>

#include "base/text.h"
#include "plan/name_conversion.h"
#include "plan/shape_operations.h"
#include "plan/tensor_groups.h"

namespace willitrun {
namespace {

/// Tells whether a tensor only serves to unpack another: its scale, zero point or table.
bool is_scale(std::string_view name) {
  constexpr std::string_view kEndings[] = {"weight_scale_inv", "_scale_inv",   ".scale",           ".qscale_weight",
                                           ".weight_scale",    ".input_scale", ".weight_scale_2",  ".activation_scale",
                                           ".qscale_act",      "_scales",      "_activation_scale"};
  return std::any_of(std::begin(kEndings), std::end(kEndings),
                     [&](std::string_view ending) { return name.ends_with(ending); });
}

/// The shape that dequantising gives: 4-bit blocks (experts, rows, blocks, bytes) become (experts, columns, rows)
/// (transformers, integrations/mxfp4.py); 8-bit floats keep their shape.
void dequantise(TensorGroup& group) {
  constexpr std::string_view kBlocks = "_blocks";
  if (!group.name.ends_with(kBlocks) || group.dtype != Dtype::U8 || group.shape.size() != 4) return;
  group.name.resize(group.name.size() - kBlocks.size());
  group.shape = {group.shape[0], group.shape[2] * group.shape[3] * 2, group.shape[1]};
}

class Loader {
 public:
  Loader(const PlanTable& table, const ModelLayout& layout, Dtype dtype, Quantisation quantisation)
      : layout_(layout),
        conversion_(table, layout),
        dtype_(dtype),
        quantisation_(quantisation),
        layers_seen_(layout.layer_lists.size()) {}

  void add(TensorGroup group) {
    if (quantisation_ == Quantisation::Dequantised) {
      if (is_scale(group.name) && !conversion_.convert(group.name).is_registered) return;
      dequantise(group);
    }
    const Conversion converted = conversion_.convert(group.name);
    const std::size_t stored = group.numbers.size();
    const std::uint64_t before = stored * bytes_of(group);
    drop_beyond_layers(converted.name, group);
    const std::uint64_t left = group.numbers.size() * bytes_of(group);
    if (left < before) {
      leave(group, stored - group.numbers.size(), before - left);
      loaded_.beyond_layers_bytes += before - left;
    }
    if (group.numbers.size() == 0) return;
    if (!converted.is_registered && !has_registered_neighbour(converted.name))
      return leave(group, group.numbers.size(), left);
    if (converted.converter)
      collect(converted, group);
    else
      emit(with_wildcards(converted.name), group.shape, group.dtype, group.numbers.size());
  }

  LoadedModel finish() {
    for (const auto& [key, instance] : instances_) ++alike_[instance];
    for (const auto& [instance, count] : alike_) {
      const auto shapes = apply_operations(*instance.converter, instance.collected);
      for (std::size_t i = 0; i < shapes.size(); ++i) emit(target_name(instance, i), shapes[i], instance.dtype, count);
    }
    for (std::size_t number = 0; number < layers_seen_.size(); ++number)
      for (std::size_t layer = 0; layer < layers_seen_[number].size(); ++layer)
        if (layout_.layer_lists[number].is_depth_given && !layers_seen_[number][layer])
          loaded_.absent_layers.push_back(fmt::format("{}.{}", layout_.layer_lists[number].name, layer));
    return std::move(loaded_);
  }

 private:
  /// What a converter gathered for one tensor of the model.
  struct Instance {
    std::string name;  ///< With wildcards.
    const Transform* converter = nullptr;
    Dtype dtype = Dtype::BF16;
    Collected collected;

    auto operator<=>(const Instance&) const = default;
  };

  static std::uint64_t bytes_of(const TensorGroup& group) {
    return LoadedTensors{.name = {}, .shape = group.shape, .dtype = group.dtype}.bytes();
  }

  void leave(const TensorGroup& group, std::size_t count, std::uint64_t bytes) {
    loaded_.unread_bytes += bytes;
    loaded_.unread_count += count;
    if (loaded_.unread_example.empty()) loaded_.unread_example = with_wildcards(group.name);
  }

  /// Removes tensors of layers that the configuration does not have.
  void drop_beyond_layers(const std::string& converted, TensorGroup& group) {
    const std::string pattern = with_wildcards(converted);
    for (std::size_t number = 0; number < layout_.layer_lists.size(); ++number) {
      const LayerList& list = layout_.layer_lists[number];
      std::vector<bool>& seen = layers_seen_[number];
      if (list.depth == 0 || !pattern.starts_with(list.name + ".*.")) continue;
      const auto parts = split(converted, '.');
      const auto at = static_cast<std::size_t>(std::count(list.name.begin(), list.name.end(), '.')) + 1;
      if (at >= parts.size()) continue;
      std::optional<std::size_t> hidden;
      for (const std::size_t index : stand_ins_in(std::string(parts[at]), 8)) hidden = index;
      const auto literal = parse_uint(parts[at]);
      group.numbers.erase_if([&](NumberRows::Row numbers) {
        const std::uint64_t layer = hidden && *hidden < numbers.size() ? numbers[*hidden] : literal.value_or(0);
        if (layer >= list.depth) return true;
        if (seen.empty()) seen.resize(list.depth);
        seen[layer] = true;
        return false;
      });
    }
  }

  /// A bias or scale that the table does not list, of a module that it lists: configurations differ more than the
  /// probes of the export, and the module is what the loader looks for.
  bool has_registered_neighbour(const std::string& name) const {
    const std::string pattern = with_wildcards(name);
    if (!pattern.ends_with(".bias")) return false;
    return layout_.tensors.contains(pattern.substr(0, pattern.size() - 4) + "weight");
  }

  void collect(const Conversion& converted, const TensorGroup& group) {
    const std::string pattern = with_wildcards(converted.name);
    const auto visible = stand_ins_in(converted.name, group.numbers.width());
    for (std::size_t row = 0; row < group.numbers.size(); ++row) {
      const NumberRows::Row numbers = group.numbers[row];
      std::string key = converted.name;
      for (const std::size_t index : visible) key.append("/").append(std::to_string(numbers[index]));
      Instance& instance = instances_[std::move(key)];
      instance.name = pattern;
      instance.converter = converted.converter;
      instance.dtype = group.dtype;
      instance.collected[converted.source].push_back(group.shape);
    }
  }

  /// The name of a converter's i-th target: the first target's place taken by the i-th.
  static std::string target_name(const Instance& instance, std::size_t index) {
    std::string name = instance.name;
    const auto& targets = instance.converter->targets;
    if (index == 0 || index >= targets.size()) return name;
    const std::string first = with_wildcards(targets[0]);
    if (const auto at = name.find(first); at != std::string::npos)
      name.replace(at, first.size(), with_wildcards(targets[index]));
    return name;
  }

  void emit(std::string name, std::vector<std::uint64_t> shape, Dtype stored, std::uint64_t count) {
    const auto found = layout_.tensors.find(name);
    const Registered* const registered = found == layout_.tensors.end() ? nullptr : &found->second;
    LoadedTensors tensors{
        std::move(name), std::move(shape), stored, stored, count, registered && registered->is_buffer};
    const bool stays = quantisation_ == Quantisation::Kept && !is_wide_float(stored);
    const bool is_number = is_floating(stored) || (quantisation_ == Quantisation::Dequantised && stored == Dtype::U8);
    if (!stays && is_number) tensors.dtype = loaded_dtype(layout_, tensors.name, registered, dtype_);
    loaded_.tensors.push_back(std::move(tensors));
  }

  static bool is_wide_float(Dtype dtype) { return is_floating(dtype) && !is_small_float(dtype); }

  const ModelLayout& layout_;
  NameConversion conversion_;
  Dtype dtype_;
  Quantisation quantisation_;
  LoadedModel loaded_;
  std::vector<std::vector<bool>> layers_seen_;  ///< For each list of layers; empty where none of it was seen.
  std::unordered_map<std::string, Instance> instances_;
  std::map<Instance, std::uint64_t> alike_;
};

/// Tells whether one of the patterns, in which `*` stands for anything, occurs in `name`.
bool any_occurs(const std::vector<std::string>& patterns, const std::string& name) {
  return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
    if (pattern.find_first_of("*\\[(^$|") == std::string::npos) return name.find(pattern) != std::string::npos;
    const boost::regex compiled(boost::regex_replace(pattern, boost::regex("\\*"), ".*"),
                                boost::regex::perl | boost::regex::no_except);
    return compiled.status() == 0 && boost::regex_search(name, compiled);
  });
}

}  // namespace

std::uint64_t LoadedTensors::elements() const {
  std::uint64_t product = 1;
  for (const std::uint64_t size : shape) product *= size;
  return product;
}

std::uint64_t LoadedTensors::bytes() const { return elements() * bits_of(dtype) / 8; }

LoadedModel load(const Checkpoint& checkpoint, const PlanTable& table, const ModelLayout& layout, Dtype dtype,
                 Quantisation quantisation) {
  Loader loader(table, layout, dtype, quantisation);
  for (TensorGroup& group : group_tensors(checkpoint)) loader.add(std::move(group));
  return loader.finish();
}

Dtype loaded_dtype(const ModelLayout& layout, const std::string& name, const Registered* registered,
                   Dtype model_dtype) {
  const bool is_half = model_dtype == Dtype::F16 || model_dtype == Dtype::BF16;
  if (is_half && any_occurs(layout.keep_fp32_strict, name)) return Dtype::F32;
  if (model_dtype == Dtype::F16 && any_occurs(layout.keep_fp32, name)) return Dtype::F32;
  if (registered && !registered->dtype.empty()) return dtype_from_torch(registered->dtype).value_or(model_dtype);
  return model_dtype;
}

}  // namespace willitrun
