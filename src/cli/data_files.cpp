#include "cli/data_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "config/target_file.h"
#include "os/file.h"
#include "os/home.h"

namespace willitrun {
namespace {

namespace fs = std::filesystem;

fs::path folder_of_program() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  return error ? fs::path() : program.parent_path();
}

/// Variables that target files may name. WILLITRUN_ENVIRONMENT is the project's own .venv unless the user names
/// another.
std::string target_variable(std::string_view name) {
  std::string value = environment_variable(std::string(name).c_str());
  if (!value.empty() || name != "WILLITRUN_ENVIRONMENT") return value;
  return (data_folder() / ".venv").string();
}

}  // namespace

fs::path data_folder() {
  if (const auto named = environment_variable("WILLITRUN_DATA"); !named.empty()) return named;
  const fs::path installed = folder_of_program().parent_path() / "share" / "willitrun";
  std::error_code error;
  return fs::is_directory(installed, error) ? installed : fs::path(WILLITRUN_SOURCE_DIR);
}

fs::path project_environment() {
  if (const auto named = environment_variable("WILLITRUN_ENVIRONMENT"); !named.empty()) return named;
  return data_folder() / ".venv";
}

Result<std::vector<std::string>> target_names() {
  ASSIGN_OR_RETURN(const auto files, list_folder(data_folder() / "targets"));
  std::vector<std::string> names;
  for (const std::string& file : files)
    if (file.ends_with(".toml")) names.push_back(file.substr(0, file.size() - 5));
  return names;
}

Result<Target> load_target(std::string_view name) {
  ASSIGN_OR_RETURN(const auto names, target_names());
  if (std::ranges::find(names, name) == names.end())
    return fail(Code::InvalidArgument, fmt::format("there is no target '{}': use one of {}", name, join(names, ", ")));
  const fs::path path = data_folder() / "targets" / fmt::format("{}.toml", name);
  ASSIGN_OR_RETURN(const std::string toml, read_file(path));
  return parse_target(toml, path.string(), target_variable);
}

Result<PlanTable> load_plan_table(const std::string& version) {
  const fs::path path = data_folder() / "plans" / fmt::format("transformers-{}.json", version);
  auto text = read_file(path);
  if (!text && text.error().code == Code::NotFound)
    return fail(Code::InvalidArgument,
                fmt::format("no plan table for Transformers '{}'; `willitrun stacks` lists the versions", version));
  if (!text) return fail(text.error());
  auto table = PlanTable::parse(std::move(*text));
  if (!table) return fail(with_context(table.error(), path.string()));
  return table;
}

}  // namespace willitrun
