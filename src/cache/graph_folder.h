#pragma once

#include <filesystem>
#include <string_view>

#include "base/result.h"

namespace willitrun {

/// Opens the folder that keeps the graphs compiled by one version of neuronx-cc between runs, making it when it is
/// missing: `<graphs>/neuronxcc-<version>`, laid out as torch-neuronx lays out its own cache, so that a bucket of the
/// same prefix can be copied into it. Versions never share a folder: two of them write different files under one name.
/// InvalidArgument when the version is no version text.
Result<std::filesystem::path> open_graph_folder(const std::filesystem::path& graphs, std::string_view neuronx_cc);

}  // namespace willitrun
