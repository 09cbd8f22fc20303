#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "domain/row.h"
#include "domain/row_columns.h"

namespace willitrun {

/// What the rows of a dataset file are.
enum class DatasetKind {
  Verdicts,  ///< One row per (model, stack, target): the public files.
  Attempts,  ///< Every attempt, in `attempts/` beside them.
};

/// One Parquet file of a dataset, read by column names. Format: docs/formats/dataset.md.
struct DatasetFile {
  std::filesystem::path path;
  DatasetKind kind = DatasetKind::Verdicts;
  int schema = 0;  ///< Version of our format; 0 for a file that is not ours, such as the public dataset's.
  std::vector<std::string> columns;  ///< Names in the file's order.
  std::vector<Row> rows;
};

/// Reads a Parquet file of the public dataset or of ours, of any version. `tp` and `neuron_cores` are the same column,
/// a missing column is absent in every row, unknown columns go to `other_columns`. Corruption names file, column and
/// types when a column has the wrong type, or says that the file is cut or damaged.
Result<DatasetFile> read_dataset_file(const std::filesystem::path& path);

/// The same for a file's bytes that are in memory already; `name` stands for the file in messages and results.
Result<DatasetFile> parse_dataset_file(std::string_view bytes, const std::string& name);

/// Returns the Parquet files of a folder and its sub-folders, sorted, or the file itself. NotFound when there is none.
Result<std::vector<std::filesystem::path>> find_dataset_files(const std::filesystem::path& path);

/// The rows of a whole dataset.
struct Dataset {
  std::vector<Row> verdicts;
  std::vector<Row> attempts;
};

/// Reads every Parquet file under `path` (or that one file).
Result<Dataset> read_dataset(const std::filesystem::path& path);

/// Tells whether a column is asked for.
using WantedColumns = std::function<bool(const RowColumn& column)>;

/// Takes some rows of a dataset.
using UseRows = std::function<Status(std::vector<Row>& rows)>;

/// Goes through the verdicts of every Parquet file under `path` (or of that one file), some thousand rows at a time.
/// Only the columns that `wanted` names are filled.
Status visit_dataset_verdicts(const std::filesystem::path& path, const WantedColumns& wanted, const UseRows& use);

/// What an export did.
struct ExportReport {
  int files_written = 0;    ///< New or changed.
  int files_unchanged = 0;  ///< Had these very bytes already.
  int files_removed = 0;    ///< Ours from an earlier export, with no row left.
  std::size_t rows = 0;     ///< Verdict rows.
};

/// Writes the dataset: `<folder>/<target>/<name>.parquet` per (neuronx-cc, library version) with the verdicts, and
/// `<folder>/attempts/<target>/<name>.parquet` with the attempts. Equal content gives equal bytes, in whatever order
/// the rows come. Each file is replaced atomically; files that are not ours are left alone; a second writer waits.
Result<ExportReport> export_dataset(const std::filesystem::path& folder, Dataset dataset);

/// Names the file that a row belongs to, without folder: `neuronx-cc-2.28.7631.0~2b1c_transformers-5.24.0.parquet`. `+`
/// is written as `~`, because the Hub URL-encodes it; other bytes outside `[A-Za-z0-9._-]` as `%` and two hexadecimal
/// digits.
std::string dataset_file_name(const Row& row);

/// Something wrong with a dataset file.
struct DatasetProblem {
  std::filesystem::path file;
  std::optional<std::size_t> row;  ///< From 0; absent when the whole file is meant.
  std::string message;
};

/// Looks for schema drift, duplicate rows, impossible values, rows of another stack or target in a file, damaged files.
/// Returns what is wrong, in the order of files; nothing when all is well. `now`: nothing can have been tested later.
Result<std::vector<DatasetProblem>> check_dataset(const std::filesystem::path& path, Time now);

}  // namespace willitrun
