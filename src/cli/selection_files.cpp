#include "cli/selection_files.h"

#include <fmt/format.h>

#include "cli/data_files.h"
#include "config/selection_file.h"
#include "os/file.h"

namespace willitrun {
namespace {

namespace fs = std::filesystem;

fs::path path_of_rule(std::string_view rule) {
  const bool is_path = rule.contains('/') || rule.ends_with(".toml");
  return is_path ? fs::path(rule) : data_folder() / "selections" / fmt::format("{}.toml", rule);
}

}  // namespace

Result<SelectionFiles> load_selection_files(std::string_view rule) {
  SelectionFiles files;
  const fs::path rule_path = path_of_rule(rule);
  const fs::path exclusions_path = data_folder() / "selections" / "exclusions.toml";
  ASSIGN_OR_RETURN(const std::string rule_text, read_file(rule_path));
  ASSIGN_OR_RETURN(files.rule, parse_selection_rule(rule_text, rule_path.string()));
  ASSIGN_OR_RETURN(const std::string exclusions_text, read_file(exclusions_path));
  ASSIGN_OR_RETURN(files.exclusions, parse_exclusions(exclusions_text, exclusions_path.string()));
  return files;
}

}  // namespace willitrun
