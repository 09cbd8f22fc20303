#pragma once

#include <cstdint>
#include <string_view>

namespace willitrun {

/// What is known of one model on one stack, as far as analyses look at it. Texts belong to the caller and are empty
/// where nothing is known.
struct Outcome {
  std::string_view model;
  std::string_view verdict;  ///< The shown word: a Verdict's text, or another system's word.
  std::string_view evidence;
  std::string_view stage;
  std::string_view failure_class;
  std::string_view signature;
  std::string_view revision;   ///< Of the model's files.
  std::int64_t downloads = 0;  ///< 0 when unknown.
};

}  // namespace willitrun
