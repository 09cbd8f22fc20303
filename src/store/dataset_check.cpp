#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "domain/row_stack.h"
#include "store/data_dictionary.h"
#include "store/dataset.h"
#include "store/row_check.h"

namespace willitrun {
namespace {

namespace fs = std::filesystem;

/// Takes the file's name out of the beginning of a message: problems carry it apart.
std::string without_name(std::string_view message, const fs::path& path) {
  const std::string name = fmt::format("'{}' ", path.string());
  if (message.starts_with(name)) message.remove_prefix(name.size());
  return std::string(message);
}

/// Collects what is wrong, file by file. Rows are let go of before the next file is read.
class Checker {
 public:
  explicit Checker(Time now) : now_(now) {}

  Status check(const fs::path& path) {
    auto file = read_dataset_file(path);
    if (!file && (file.error().code == Code::Corruption || file.error().code == Code::InvalidArgument)) {
      add(path, std::nullopt, without_name(file.error().message, path));
      return {};
    }
    if (!file) return fail(file.error());
    for (std::size_t i = 0; i < file->rows.size(); ++i) check_row(*file, i);
    columns_.emplace_back(path, std::move(file->columns));
    return {};
  }

  /// Reports columns in which files of one folder differ, and returns everything found.
  std::vector<DatasetProblem> finish() {
    std::map<fs::path, std::set<std::string>> by_folder;
    for (const auto& [path, columns] : columns_) by_folder[path.parent_path()].insert(columns.begin(), columns.end());
    for (const auto& [path, columns] : columns_) check_drift(path, columns, by_folder[path.parent_path()]);
    std::ranges::stable_sort(problems_, {}, &DatasetProblem::file);
    return std::move(problems_);
  }

 private:
  void add(const fs::path& file, std::optional<std::size_t> row, std::string message) {
    problems_.push_back({file, row, std::move(message)});
  }

  void check_row(const DatasetFile& file, std::size_t index) {
    const Row& row = file.rows[index];
    for (std::string& problem : impossible_values(row, file.schema > 0, now_))
      add(file.path, index, std::move(problem));
    check_place(file, index);
    if (file.kind == DatasetKind::Attempts) return check_attempt_id(file, index);
    const std::string key = fmt::format("{}\n{}\n{}{}\n{}", row.model_id.value_or(""), target_of(row),
                                        canonical_text(stack_of(row)), row.tp.value_or(0), row.runner.value_or(""));
    const auto [first, is_new] = seen_.emplace(key, Place{file.path, index});
    if (!is_new)
      add(file.path, index,
          fmt::format("'{}' is here twice for one stack and target: also row {} of '{}'", row.model_id.value_or(""),
                      first->second.row, first->second.file.string()));
  }

  void check_attempt_id(const DatasetFile& file, std::size_t index) {
    const auto& id = file.rows[index].attempt_id;
    if (!id) return add(file.path, index, "an attempt has no 'attempt_id'");
    const auto [first, is_new] = seen_.emplace(*id, Place{file.path, index});
    if (!is_new)
      add(file.path, index,
          fmt::format("the attempt '{}' is here twice: also row {} of '{}'", *id, first->second.row,
                      first->second.file.string()));
  }

  /// A file holds one (neuronx-cc, library version); ours also one target, the folder's.
  void check_place(const DatasetFile& file, std::size_t index) {
    const Row& row = file.rows[index];
    const std::string wanted = file.schema > 0 ? file.path.filename().string() : dataset_file_name(file.rows.front());
    if (dataset_file_name(row) != wanted)
      add(file.path, index,
          fmt::format("'{}' is of another stack than the file: it belongs into '{}'", row.model_id.value_or(""),
                      dataset_file_name(row)));
    const std::string folder = fs::absolute(file.path).parent_path().filename().string();
    if (file.schema > 0 && target_of(row) != folder)
      add(file.path, index,
          fmt::format("'{}' is of target '{}', but lies in the folder of '{}'", row.model_id.value_or(""),
                      target_of(row), folder));
  }

  void check_drift(const fs::path& path, const std::vector<std::string>& columns, const std::set<std::string>& all) {
    std::vector<std::string> missing;
    for (const std::string& name : all)
      if (std::ranges::find(columns, name) == columns.end()) missing.push_back(name);
    if (!missing.empty())
      add(path, std::nullopt,
          fmt::format("the schema drifts: this file lacks columns that others of its folder have: {}",
                      join(missing, ", ")));
  }

  struct Place {
    fs::path file;
    std::size_t row;
  };

  Time now_;
  std::vector<DatasetProblem> problems_;
  std::map<std::string, Place> seen_;
  std::vector<std::pair<fs::path, std::vector<std::string>>> columns_;
};

}  // namespace

Result<std::vector<DatasetProblem>> check_dataset(const fs::path& path, Time now) {
  ASSIGN_OR_RETURN(const auto files, find_dataset_files(path));
  Checker checker(now);
  for (const fs::path& file : files) RETURN_IF_ERROR(checker.check(file));
  return checker.finish();
}

}  // namespace willitrun
