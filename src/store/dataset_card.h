#pragma once

#include <string>
#include <vector>

namespace willitrun {

/// Rows of one target in a dataset folder.
struct TargetShare {
  std::string target;
  std::size_t num_verdicts = 0;
  std::size_t num_attempts = 0;
};

/// Writes the README.md of a published dataset: the Hub's metadata block with one configuration per target, so that its
/// viewer loads the files, then what the rows mean, the values of `result`, and the data dictionary. `trn2` is the
/// default.
std::string dataset_card(const std::vector<TargetShare>& targets);

}  // namespace willitrun
