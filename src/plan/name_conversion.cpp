#include "plan/name_conversion.h"

#include <algorithm>
#include <boost/regex.hpp>
#include <map>
#include <optional>
#include <stdexcept>

namespace willitrun {

/// A transform with its pattern compiled and the part of the model that it is confined to.
struct NameConversion::Compiled {
  Transform transform;
  boost::regex pattern;
  bool is_scoped = false;
  std::string scope, base_prefix;  ///< With a dot at the end, or empty.
  mutable bool is_active = false;  ///< Of a group of renamings: its first pattern was seen.

  struct Match {
    std::string name;
    int source;
  };

  std::optional<Match> rename(const std::string& name) const;
};

namespace {

/// Replaces the references \1, \2, ... of a target by what the groups after `first_group` matched.
std::string expand(const std::string& target, const boost::smatch& match, int first_group) {
  std::string out;
  for (std::size_t i = 0; i < target.size(); ++i) {
    if (target[i] == '\\' && i + 1 < target.size() && target[i + 1] >= '1' && target[i + 1] <= '9') {
      out += match[static_cast<std::size_t>(first_group + (target[++i] - '0'))].str();
    } else {
      out.push_back(target[i]);
    }
  }
  return out;
}

}  // namespace

std::optional<NameConversion::Compiled::Match> NameConversion::Compiled::rename(const std::string& name) const {
  std::string prefix;
  if (is_scoped) {
    if (name.starts_with(base_prefix + scope))
      prefix = base_prefix + scope;
    else if (name.starts_with(scope))
      prefix = scope;
    else
      return std::nullopt;
  }
  const std::string rest = name.substr(prefix.size());
  boost::smatch match;
  try {
    if (!boost::regex_search(rest, match, pattern)) return std::nullopt;
  } catch (const std::runtime_error&) {  // a name on which the pattern takes too long does not match
    return std::nullopt;
  }
  for (const auto& [source, group] : transform.branches) {
    if (!match[static_cast<std::size_t>(group)].matched) continue;
    const bool is_group = transform.kind == "GroupWeightRename";
    if (is_group && source != 0 && !is_active) return std::nullopt;
    is_active |= is_group;
    const std::string& target = transform.targets[is_group ? static_cast<std::size_t>(source) : 0];
    std::string renamed = rest;
    const std::string matched = match[0].str();
    renamed.replace(renamed.find(matched), matched.size(), expand(target, match, group));
    return Match{prefix + renamed, source};
  }
  return std::nullopt;
}

NameConversion::NameConversion(const PlanTable& table, const ModelLayout& layout) : layout_(layout) { collect(table); }
NameConversion::~NameConversion() = default;
NameConversion::NameConversion(NameConversion&&) noexcept = default;

/// Gathers the transforms of the whole and of its sub-models, each found by class or else by type, and none twice along
/// one line of descent (transformers, conversion_mapping.py, get_model_conversion_mapping).
void NameConversion::collect(const PlanTable& table) {
  std::map<std::string, std::vector<std::string>> seen;
  const auto is_covered = [&](const std::string& identifier, const std::string& path) {
    const auto& paths = seen[identifier];
    return std::any_of(paths.begin(), paths.end(),
                       [&](const std::string& outer) { return outer.empty() || path.starts_with(outer + "."); });
  };
  const auto compile = [&](std::vector<Transform> found, const std::string& path, bool is_root) {
    std::string scope = path;
    if (scope.starts_with(layout_.base_prefix)) scope.erase(0, layout_.base_prefix.size());
    if (scope.starts_with('.')) scope.erase(0, 1);
    for (Transform& transform : found) {
      Compiled compiled;
      compiled.transform = std::move(transform);
      compiled.is_scoped = !is_root;
      compiled.scope = scope.empty() ? "" : scope + ".";
      compiled.base_prefix = layout_.base_prefix.empty() ? "" : layout_.base_prefix + ".";
      compiled.pattern.assign(compiled.transform.pattern, boost::regex::perl | boost::regex::no_except);
      if (compiled.pattern.status() == 0 && !compiled.transform.targets.empty())
        transforms_.push_back(std::move(compiled));
    }
  };
  for (const SubModel& part : layout_.sub_models) {
    if (is_covered(part.class_name, part.path)) continue;
    auto found = table.conversions(part.class_name);
    const bool is_by_class = !found.empty();
    if (!is_by_class) {
      if (is_covered(part.type, part.path)) continue;
      found = table.conversions(part.type);
    }
    if (found.empty()) continue;
    compile(std::move(found), part.path, part.path.empty());
    seen[part.class_name].push_back(part.path);
    if (!is_by_class) seen[part.type].push_back(part.path);
  }
  compile(table.conversions("legacy"), "", true);
}

std::string NameConversion::with_base_prefix(std::string name) const {
  const std::string& prefix = layout_.base_prefix;
  if (prefix.empty()) return name;
  if (name.starts_with(prefix) && name.size() > prefix.size() + 1) {
    std::string shorter = name.substr(prefix.size() + 1);
    if (layout_.tensors.contains(with_wildcards(shorter))) return shorter;
  }
  std::string longer = prefix + "." + name;
  return layout_.tensors.contains(with_wildcards(longer)) ? longer : name;
}

Conversion NameConversion::convert(const std::string& checkpoint_name) const {
  Conversion result{checkpoint_name};
  for (const Compiled& compiled : transforms_)
    if (!compiled.transform.is_converter())
      if (auto match = compiled.rename(result.name)) result.name = std::move(match->name);
  for (const Compiled& compiled : transforms_) {
    if (!compiled.transform.is_converter()) continue;
    if (auto match = compiled.rename(result.name)) {
      result.name = std::move(match->name);
      result.converter = &compiled.transform;
      result.source = match->source;
      break;
    }
  }
  result.name = with_base_prefix(std::move(result.name));
  result.is_registered = layout_.tensors.contains(with_wildcards(result.name));
  if (!result.is_registered && layout_.tensors.contains(with_wildcards(with_base_prefix(checkpoint_name))))
    result = {with_base_prefix(checkpoint_name), nullptr, 0, true};
  return result;
}

}  // namespace willitrun
