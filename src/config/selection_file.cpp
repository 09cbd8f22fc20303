#include "config/selection_file.h"

#include <fmt/format.h>

#include <climits>

#include "config/toml_reader.h"

namespace willitrun {
namespace {

/// A number of places; what does not fit is all of them.
std::int32_t places(std::int64_t number) {
  return static_cast<std::int32_t>(std::min<std::int64_t>(number, INT32_MAX));
}

std::unexpected<Error> wrong(std::string_view where, std::string problem) {
  return fail(Code::InvalidArgument, fmt::format("{}: {}", where, problem));
}

}  // namespace

Result<SelectionRule> parse_selection_rule(std::string_view toml, std::string_view where) {
  ASSIGN_OR_RETURN(TomlTable root, TomlTable::parse(toml, where));
  SelectionRule rule;
  rule.name = root.text("name");
  rule.tasks = root.texts_or("tasks", {});
  rule.libraries = root.texts_or("libraries", {});
  rule.formats = root.texts_or("formats", {});
  rule.top_downloads = places(root.integer_or("top_downloads", 0));
  rule.top_trending = places(root.integer_or("top_trending", 0));
  const std::int64_t max_parameters = root.integer_or("max_parameters", 0);
  if (max_parameters > 0) rule.max_parameters = max_parameters;
  RETURN_IF_ERROR(root.finish());
  if (rule.tasks.empty()) return wrong(where, "'tasks' must name at least one task");
  if (rule.libraries.empty()) return wrong(where, "'libraries' must name at least one library");
  if (rule.formats.empty()) return wrong(where, "'formats' must name at least one format");
  if (rule.top_downloads + rule.top_trending == 0)
    return wrong(where, "'top_downloads' or 'top_trending' must be above 0, else nothing is ever selected");
  return rule;
}

Result<std::vector<Exclusion>> parse_exclusions(std::string_view toml, std::string_view where) {
  ASSIGN_OR_RETURN(TomlTable root, TomlTable::parse(toml, where));
  std::vector<Exclusion> exclusions;
  std::string problem;
  for (TomlTable& entry : root.tables("exclusion")) {
    Exclusion exclusion;
    exclusion.model = entry.text("model");
    exclusion.reason = entry.text("reason");
    exclusion.owner = entry.text("owner");
    const std::string kind = entry.text("kind");
    const std::string expires = entry.text_or("expires", "");
    const auto known_kind = from_text<ExclusionKind>(kind);
    exclusion.kind = known_kind.value_or(ExclusionKind::Priority);
    exclusion.expires = parse_time(expires);
    if (!known_kind)
      problem = fmt::format("the exclusion of '{}' has kind '{}': use priority or incompatible", exclusion.model, kind);
    if (!expires.empty() && !exclusion.expires)
      problem = fmt::format("the exclusion of '{}' expires on '{}': use YYYY-MM-DD", exclusion.model, expires);
    exclusions.push_back(std::move(exclusion));
  }
  RETURN_IF_ERROR(root.finish());
  if (!problem.empty()) return wrong(where, std::move(problem));
  return exclusions;
}

}  // namespace willitrun
