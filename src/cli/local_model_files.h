#pragma once

#include <filesystem>

#include "checkpoint/model_files.h"

namespace willitrun {

/// The files of a model in a folder of this machine. Weight files may be sparse: only headers are read.
class LocalModelFiles : public ModelFiles {
 public:
  explicit LocalModelFiles(std::filesystem::path folder) : folder_(std::move(folder)) {}

  Result<std::vector<ModelFile>> list() override;
  Result<std::string> read(const std::string& name) override;
  Result<std::vector<std::string>> read_ranges(std::span<const WeightRange> ranges) override;

 private:
  std::filesystem::path folder_;
};

}  // namespace willitrun
