#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "server/served_files.h"

namespace willitrun {

/// A Parquet file of the dataset as the site offers it.
struct DataFile {
  std::string path;  ///< From the site's root: `data/<target>/<name>.parquet`, `data/attempts/<target>/...`.
  std::string target;
  std::string_view kind;  ///< `verdicts` or `attempts`.
  const ServedFile* served = nullptr;
};

/// Picks the Parquet files out of a dataset folder (docs/formats/dataset.md): verdicts first, by path.
std::vector<DataFile> data_files(const ServedFiles& folder);

}  // namespace willitrun
