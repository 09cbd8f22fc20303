#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "hub/hub.h"

namespace willitrun {

/// A Parquet file that can be imported.
struct SourceFile {
  std::string path;        ///< Inside the source.
  std::string content_id;  ///< Changes when the bytes change: a digest, or git's object id.
};

/// Where Parquet files come from: a folder, a single file, a dataset on the Hub.
class DatasetSource {
 public:
  virtual ~DatasetSource() = default;

  virtual std::string name() const = 0;      ///< Stands for the source in the journal.
  virtual std::string revision() const = 0;  ///< Commit; empty for local files.
  virtual Result<std::vector<SourceFile>> list() = 0;
  virtual Result<std::string> read(const SourceFile& file) = 0;
};

/// Makes a source of a local file or folder.
Result<std::unique_ptr<DatasetSource>> local_source(const std::string& path);

/// Makes a source of a dataset's newest state on the Hub.
Result<std::unique_ptr<DatasetSource>> hub_source(Hub& hub, const std::string& dataset);

}  // namespace willitrun
