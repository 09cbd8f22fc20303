#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "server/site.h"
#include "store/dataset.h"

namespace willitrun {

/// Rows in memory as what a static site is made from.
class PublicSite : public RowSource {
 public:
  /// Takes what a home knows, as far as it may leave the house (docs/formats/dataset.md). With `is_private` everything
  /// as it is: models in local folders too, and texts as they were written.
  static Result<std::unique_ptr<PublicSite>> of_home(const Session& session, bool is_private);

  /// Takes a dataset's Parquet files and nothing else.
  static Result<std::unique_ptr<PublicSite>> of_dataset(const std::filesystem::path& path);

  const std::shared_ptr<const LookupSnapshot>& snapshot() const { return snapshot_; }
  const Dataset& dataset() const { return dataset_; }

  Result<std::vector<Row>> full_rows(const LookupSnapshot& snapshot, std::span<const ViewRow> rows) override;

 private:
  PublicSite(Dataset dataset, std::shared_ptr<const LookupSnapshot> snapshot);

  Dataset dataset_;
  std::shared_ptr<const LookupSnapshot> snapshot_;
  std::multimap<std::string_view, const Row*> rows_;  ///< By model; they point into the dataset.
};

}  // namespace willitrun
