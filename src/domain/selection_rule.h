#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace willitrun {

/// Which models of the Hub's lists are worth testing: those near the top of their task's list that have a form which
/// the program can run. Read from selections/<name>.toml.
struct SelectionRule {
  std::string name;
  std::vector<std::string> tasks;      ///< Pipeline tags, in the order in which equal ranks are taken.
  std::vector<std::string> libraries;  ///< Libraries that can load the model; models whose list names none pass.
  std::vector<std::string>
      formats;  ///< Kinds of weight files, of which one is needed; models whose list names none pass.
  std::int32_t top_downloads = 0;  ///< Places of each task's list by downloads that count.
  std::int32_t top_trending = 0;   ///< Places of each task's list by trending score that count.
  std::optional<std::int64_t> max_parameters;
};

}  // namespace willitrun
