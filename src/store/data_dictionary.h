#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "domain/row_columns.h"
#include "store/dataset.h"

namespace willitrun {

// Keys of a dataset file's key-value metadata.
inline constexpr std::string_view kSchemaKey = "willitrun.schema";          ///< Version of the format, a whole number.
inline constexpr std::string_view kKindKey = "willitrun.kind";              ///< `verdicts` or `attempts`.
inline constexpr std::string_view kDictionaryKey = "willitrun.dictionary";  ///< data_dictionary_json().

/// A column of a dataset file: the columns of Row, and the second name of the core column.
struct DatasetColumn {
  std::string_view name;
  const RowColumn* source;
};

/// Returns the columns in the order in which files have them: the public dataset's 24, `neuron_cores`, ours.
const std::vector<DatasetColumn>& dataset_columns();

/// Returns the name that the metadata has for a kind.
std::string_view kind_name(DatasetKind kind);

/// Writes what each column is, as JSON: `{"tp": {"type": "int32", "meaning": "..."}, ...}`.
std::string data_dictionary_json();

}  // namespace willitrun
