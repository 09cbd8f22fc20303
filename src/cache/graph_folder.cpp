#include "cache/graph_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "os/file.h"

namespace willitrun {
namespace {

namespace fs = std::filesystem;

/// `2.28.7631.0+abcdef12`: nothing that leads out of a folder.
bool is_version_text(std::string_view text) {
  const auto is_allowed = [](unsigned char letter) {
    return std::isalnum(letter) != 0 || letter == '.' || letter == '+' || letter == '-' || letter == '_';
  };
  return !text.empty() && text.front() != '.' && std::ranges::all_of(text, is_allowed);
}

}  // namespace

Result<fs::path> open_graph_folder(const fs::path& graphs, std::string_view neuronx_cc) {
  if (!is_version_text(neuronx_cc))
    return fail(Code::InvalidArgument, fmt::format("'{}' is no version of neuronx-cc", neuronx_cc));
  fs::path folder = graphs / fmt::format("neuronxcc-{}", neuronx_cc);
  RETURN_IF_ERROR(make_folder(folder));
  return folder;
}

}  // namespace willitrun
