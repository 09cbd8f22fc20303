#pragma once

#include <memory>
#include <string>
#include <vector>

#include "domain/ranking.h"
#include "domain/row.h"
#include "lookup/snapshot_builder.h"

namespace willitrun {

/// A model of a list, for tests.
RankedModel sample_model(std::string id, std::int64_t downloads, std::string task = "text-generation");

/// A verdict on a stack `cc/transformers` of the target trn2, for tests.
Row sample_row(std::string model_id, std::string verdict, std::string neuronx_cc = "2.28.1",
               std::string transformers = "5.24.0");

/// A small home: four stacks, eight models of two tasks, all kinds of verdicts, an emulated and a cpu result.
SnapshotInput sample_input();

/// The snapshot of an input that is known to be good.
std::shared_ptr<const LookupSnapshot> snapshot_of(const SnapshotInput& input);

}  // namespace willitrun
