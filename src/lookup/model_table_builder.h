#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "domain/exclusion.h"
#include "domain/ranking.h"
#include "lookup/bitmap.h"
#include "lookup/column_builder.h"
#include "lookup/snapshot.h"
#include "lookup/snapshot_file.h"

namespace willitrun {

/// Collects what is known about models, in the order of their numbers.
class ModelTableBuilder {
 public:
  explicit ModelTableBuilder(std::size_t num_models);

  /// Adds the next model. Its id must stay where it is until write().
  void add(const RankedModel& model, bool ranked);

  void select(ModelNumber model, std::int32_t place) { selected_rank_[model] = place; }
  void exclude(ModelNumber model, const Exclusion& exclusion) { exclusions_[model] = &exclusion; }

  /// Writes the sections `names`, `models_by_id.u32` and `model.*`. ResourceExhausted when the names are too long for
  /// an index.
  Status write(SnapshotFileWriter& writer) &&;

 private:
  std::vector<std::string_view> ids_;
  TextColumnBuilder task_, library_, license_;
  std::vector<std::int64_t> downloads_, likes_, parameters_;
  std::vector<double> trending_score_;
  std::vector<std::int32_t> downloads_rank_, trending_rank_, selected_rank_;
  Bitmap gated_, removed_, local_, ranked_;
  std::vector<const Exclusion*> exclusions_;
};

}  // namespace willitrun
