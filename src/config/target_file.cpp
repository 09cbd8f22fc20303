#include "config/target_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "config/toml_reader.h"

namespace willitrun {
namespace {

/// Replaces each `${NAME}`; nothing when one of them is not set.
std::optional<std::string> expand(std::string_view text, const VariableLookup& variable) {
  std::string expanded;
  for (;;) {
    const auto begin = text.find("${");
    expanded += text.substr(0, begin);
    if (begin == std::string_view::npos) return expanded;
    const auto end = text.find('}', begin);
    if (end == std::string_view::npos) return expanded.append(text.substr(begin));
    const std::string value = variable(text.substr(begin + 2, end - begin - 2));
    if (value.empty()) return std::nullopt;
    expanded += value;
    text.remove_prefix(end + 1);
  }
}

/// What values of [environment] may name: figures of the target itself, so that they stand in the file once.
std::string own_value(const Target& target, std::string_view name) {
  return name == "cores.memory_bytes" ? fmt::format("{}", target.core_memory_bytes) : "";
}

void read_cores(TomlTable cores, Target& target) {
  for (const auto count : cores.integers("counts")) target.core_counts.push_back(static_cast<int>(count));
  target.core_memory_bytes = static_cast<std::uint64_t>(cores.integer("memory_bytes"));
  target.reserve_bytes_per_core = static_cast<std::uint64_t>(cores.integer_or("reserve_bytes", 0));
}

Status check(const Target& target, std::string_view where) {
  const auto wrong = [&](std::string_view problem) {
    return fail(Code::InvalidArgument, fmt::format("{}: {}", where, problem));
  };
  if (target.core_counts.empty() || target.core_counts.front() < 1)
    return wrong("'cores.counts' must hold positive numbers");
  if (!std::ranges::is_sorted(target.core_counts, std::less_equal())) return wrong("'cores.counts' must be ascending");
  if (target.core_memory_bytes <= target.reserve_bytes_per_core)
    return wrong("'cores.reserve_bytes' must be below 'cores.memory_bytes'");
  if (target.interpreters.empty()) return wrong("at least one [[interpreter]] is needed");
  return {};
}

}  // namespace

Result<Target> parse_target(std::string_view toml, std::string_view where, const VariableLookup& variable) {
  ASSIGN_OR_RETURN(TomlTable root, TomlTable::parse(toml, where));
  Target target;
  target.name = root.text("name");
  target.device = root.text("device");
  target.compile_backend = root.text("compile_backend");
  target.emulated = root.boolean_or("emulated", false);
  read_cores(root.table("cores"), target);
  target.environment = root.text_map("environment");
  for (auto& [name, value] : target.environment) {
    const auto expanded = expand(value, [&](std::string_view text) { return own_value(target, text); });
    if (!expanded)
      return fail(Code::InvalidArgument, fmt::format("{}: '{}' of 'environment.{}' is not known", where, value, name));
    value = *expanded;
  }
  for (TomlTable& entry : root.tables("interpreter")) {
    std::string version = entry.text("transformers");
    target.interpreters.push_back({std::move(version), expand(entry.text("path"), variable).value_or("")});
  }
  RETURN_IF_ERROR(root.finish());
  RETURN_IF_ERROR(check(target, where));
  return target;
}

}  // namespace willitrun
