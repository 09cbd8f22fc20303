#include "store/dataset.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "domain/row_json.h"
#include "domain/row_stack.h"
#include "os/file.h"
#include "os/file_lock.h"
#include "os/mapped_file.h"
#include "store/parquet_codec.h"

namespace willitrun {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kExtension = ".parquet";
constexpr std::string_view kAttemptsFolder = "attempts";

/// Writes a text so that it is one readable and safe part of a file name, different for different texts.
std::string file_name_part(std::string_view text) {
  std::string part;
  for (const char c : text) {
    const bool is_safe = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                         (c == '.' && !part.empty());
    if (is_safe) {
      part += c;
    } else if (c == '+') {
      part += '~';
    } else {
      part += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return part;
}

using RowsByFile = std::map<fs::path, std::vector<Row>>;

Status add_by_file(const fs::path& folder, std::vector<Row> rows, RowsByFile& files) {
  for (Row& row : rows) {
    const std::string target = file_name_part(target_of(row));
    if (target.empty() || target == kAttemptsFolder)
      return fail(Code::InvalidArgument, fmt::format("a row has the impossible target '{}'", target));
    files[folder / target / dataset_file_name(row)].push_back(std::move(row));
  }
  return {};
}

/// Puts rows into an order that depends on nothing but their content.
void sort_rows(std::vector<Row>& rows) {
  struct Keyed {
    std::string model, stack, json;
    std::size_t index;
  };
  std::vector<Keyed> keys;
  for (std::size_t i = 0; i < rows.size(); ++i)
    keys.push_back({rows[i].model_id.value_or(""), canonical_text(stack_of(rows[i])), to_json(rows[i]), i});
  std::ranges::sort(keys, {}, [](const Keyed& key) { return std::tie(key.model, key.stack, key.json); });
  std::vector<Row> sorted;
  for (const Keyed& key : keys) sorted.push_back(std::move(rows[key.index]));
  rows = std::move(sorted);
}

/// Writes one file unless it holds these bytes already. Returns whether it wrote.
Result<bool> write_if_changed(const fs::path& path, const std::string& bytes) {
  const auto old = read_file(path);
  if (old && *old == bytes) return false;
  if (!old && old.error().code != Code::NotFound) return fail(old.error());
  RETURN_IF_ERROR(write_file_atomically(path, bytes));
  return true;
}

/// Writes every file; the rows in `files` come out sorted.
Status write_files(RowsByFile& files, DatasetKind kind, ExportReport& report) {
  ASSIGN_OR_RETURN(const ParquetCodec* const codec, parquet_codec());
  for (auto& [path, rows] : files) {
    sort_rows(rows);
    ASSIGN_OR_RETURN(const std::string bytes, codec->encode(rows, kind));
    ASSIGN_OR_RETURN(const bool written, write_if_changed(path, bytes));
    ++(written ? report.files_written : report.files_unchanged);
  }
  return {};
}

/// Tells whether an export wrote the file: it carries our metadata. What cannot be read is not ours to remove.
Result<bool> is_our_file(const fs::path& path) {
  ASSIGN_OR_RETURN(const ParquetCodec* const codec, parquet_codec());
  ASSIGN_OR_RETURN(const std::string bytes, read_file(path));
  const auto file = codec->describe(bytes, path.string());
  return file && file->schema > 0;
}

/// Removes what earlier exports left in one target's folder: files without rows now, and unfinished ones of killed
/// writers.
Status clean_folder(const fs::path& folder, const RowsByFile& wanted, ExportReport& report) {
  ASSIGN_OR_RETURN(const auto names, list_folder(folder));
  for (const std::string& name : names) {
    const fs::path path = folder / name;
    if (name.starts_with('.') && name.ends_with(".tmp")) RETURN_IF_ERROR(remove_tree(path));
    if (name.starts_with('.') || !name.ends_with(kExtension) || wanted.contains(path)) continue;
    ASSIGN_OR_RETURN(const bool ours, is_our_file(path));
    if (!ours) continue;
    RETURN_IF_ERROR(remove_tree(path));
    ++report.files_removed;
  }
  return {};
}

Status clean_folders(const fs::path& parent, const RowsByFile& wanted, ExportReport& report) {
  std::error_code error;
  if (!fs::is_directory(parent, error)) return {};
  ASSIGN_OR_RETURN(const auto names, list_folder(parent));
  for (const std::string& name : names)
    if (!name.starts_with('.') && name != kAttemptsFolder && fs::is_directory(parent / name, error))
      RETURN_IF_ERROR(clean_folder(parent / name, wanted, report));
  return {};
}

}  // namespace

std::string dataset_file_name(const Row& row) {
  const std::string compiler = row.neuronx_cc ? fmt::format("neuronx-cc-{}_", file_name_part(*row.neuronx_cc)) : "";
  return fmt::format("{}{}-{}{}", compiler, file_name_part(row.library.value_or("unknown")),
                     file_name_part(row.library_version.value_or("unknown")), kExtension);
}

Result<DatasetFile> parse_dataset_file(std::string_view bytes, const std::string& name) {
  ASSIGN_OR_RETURN(const ParquetCodec* const codec, parquet_codec());
  return codec->decode(bytes, name);
}

Result<DatasetFile> read_dataset_file(const fs::path& path) {
  ASSIGN_OR_RETURN(const std::string bytes, read_file(path));
  return parse_dataset_file(bytes, path.string());
}

Result<std::vector<fs::path>> find_dataset_files(const fs::path& path) {
  std::error_code error;
  if (fs::is_regular_file(path, error)) return std::vector{path};
  if (!fs::is_directory(path, error)) return fail(Code::NotFound, fmt::format("there is no '{}'", path.string()));
  std::vector<fs::path> files;
  for (fs::recursive_directory_iterator entry(path, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with('.') && entry->is_directory(error)) entry.disable_recursion_pending();
    if (!name.starts_with('.') && name.ends_with(kExtension)) files.push_back(entry->path());
  }
  if (error) return fail(Code::Io, fmt::format("cannot list '{}': {}", path.string(), error.message()));
  if (files.empty()) return fail(Code::NotFound, fmt::format("'{}' holds no Parquet file", path.string()));
  std::ranges::sort(files);
  return files;
}

Result<Dataset> read_dataset(const fs::path& path) {
  Dataset dataset;
  ASSIGN_OR_RETURN(const auto files, find_dataset_files(path));
  for (const fs::path& name : files) {
    ASSIGN_OR_RETURN(DatasetFile file, read_dataset_file(name));
    auto& rows = file.kind == DatasetKind::Verdicts ? dataset.verdicts : dataset.attempts;
    std::ranges::move(file.rows, std::back_inserter(rows));
  }
  return dataset;
}

Status visit_dataset_verdicts(const fs::path& path, const WantedColumns& wanted, const UseRows& use) {
  ASSIGN_OR_RETURN(const auto files, find_dataset_files(path));
  ASSIGN_OR_RETURN(const ParquetCodec* const codec, parquet_codec());
  for (const fs::path& name : files) {
    ASSIGN_OR_RETURN(const MappedFile file, MappedFile::open(name));
    RETURN_IF_ERROR(codec->visit_verdicts(file.bytes(), name.string(), wanted, use));
  }
  return {};
}

Result<ExportReport> export_dataset(const fs::path& folder, Dataset dataset) {
  ExportReport report;
  report.rows = dataset.verdicts.size();
  RowsByFile verdicts, attempts;
  RETURN_IF_ERROR(add_by_file(folder, std::move(dataset.verdicts), verdicts));
  RETURN_IF_ERROR(add_by_file(folder / kAttemptsFolder, std::move(dataset.attempts), attempts));
  RETURN_IF_ERROR(make_folder(folder));
  ASSIGN_OR_RETURN(const FileLock lock, FileLock::acquire(folder / ".willitrun.lock"));
  RETURN_IF_ERROR(write_files(verdicts, DatasetKind::Verdicts, report));
  RETURN_IF_ERROR(write_files(attempts, DatasetKind::Attempts, report));
  // Only now, so that a writer that dies in between leaves too much rather than too little.
  RETURN_IF_ERROR(clean_folders(folder, verdicts, report));
  RETURN_IF_ERROR(clean_folders(folder / kAttemptsFolder, attempts, report));
  return report;
}

}  // namespace willitrun
