#pragma once

#include <cstdint>
#include <vector>

#include "checkpoint/model_files.h"
#include "checkpoint/weight_index.h"

namespace willitrun {

/// Tells for each weight file up to which byte to read at first, so that nearly always one request brings the whole
/// header and little else. The names of a shard's tensors are known from the index, and what a header says about a
/// tensor is about as long for all of them: a shard is asked for 2 to 5 % more than its header has. Without an index
/// (one file) it is 100 kB, as huggingface_hub reads; a file that the index gives no tensor to gets its length asked.
///
/// So a header that lies about its length costs what an honest one of these names would have.
std::vector<std::uint64_t> expected_header_ends(const std::vector<ModelFile>& files, const WeightIndex* index);

}  // namespace willitrun
