#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/result.h"
#include "domain/ranking.h"
#include "lookup/cell_layout.h"
#include "lookup/column_builder.h"
#include "lookup/snapshot.h"

namespace willitrun {

/// What a snapshot is made from, as values.
struct SnapshotInput {
  std::vector<RankedModel> models;                          ///< The Hub's lists and local ones; ids are unique.
  std::vector<Row> rows;                                    ///< Verdicts.
  std::vector<std::string> selected;                        ///< Ids of the selection, in its order.
  std::vector<std::pair<std::string, Exclusion>> excluded;  ///< Models that are deliberately not tested.
};

/// Makes a snapshot row by row, so that rows need not all be in memory as rows.
class SnapshotBuilder {
 public:
  SnapshotBuilder();

  void add_model(const RankedModel& model);

  /// Adds a verdict. A row without a model is left out. Of several rows of one model on one stack and target (stacks
  /// with the same short_name) the one that was tested last counts.
  void add_row(const Row& row);

  void set_selected(std::vector<std::string> ids) { selected_ = std::move(ids); }
  void set_excluded(std::vector<std::pair<std::string, Exclusion>> excluded) { excluded_ = std::move(excluded); }

  /// Returns the content of the snapshot's file. `state` names what it was made from. ResourceExhausted when there are
  /// more than 65,535 stacks, 255 targets or 2^32 - 2 rows.
  Result<std::string> write(std::string_view state) &&;

  /// The same, opened.
  Result<std::shared_ptr<const LookupSnapshot>> finish() &&;

 private:
  struct ModelFacts {
    RankedModel model;
    bool ranked = false;
  };

  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  using Numbers = std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>>;

  std::uint32_t model_number_of(std::string_view id);
  std::uint32_t stack_number_of(const Row& row);
  std::uint8_t target_number_of(const Row& row);
  std::vector<std::uint32_t> models_by_downloads() const;
  Status write_models(SnapshotFileWriter& writer);
  Status write_stacks(SnapshotFileWriter& writer);
  void write_cells(SnapshotFileWriter& writer, CellOrder& order);
  std::vector<CellPlace> sorted_places() const;

  std::vector<ModelFacts> models_;  // in the order of their first appearance, as are stacks and targets
  Numbers model_numbers_;
  std::uint32_t last_model_ = 0;
  std::vector<ModelNumber> final_model_;

  std::vector<Stack> stacks_;
  std::vector<std::int64_t> stack_tested_at_;
  Numbers stack_numbers_;
  std::string key_;  // of the row's stack, kept for its memory
  std::vector<StackNumber> final_stack_;
  CellAxes axes_;

  std::vector<std::string> targets_;
  std::vector<std::uint8_t> final_target_;

  std::vector<std::uint32_t> row_model_, row_stack_;
  std::vector<std::uint8_t> row_target_;
  std::vector<std::int64_t> row_tested_at_;
  TextColumnBuilder verdicts_;
  std::vector<CellColumnBuilder> columns_;
  std::vector<std::string> selected_;
  std::vector<std::pair<std::string, Exclusion>> excluded_;
};

/// Opens the content that SnapshotBuilder::write() made.
Result<std::shared_ptr<const LookupSnapshot>> open_snapshot(std::string bytes);

/// Fills a builder with values.
SnapshotBuilder builder_of(const SnapshotInput& input);

/// Makes a snapshot of values.
Result<std::shared_ptr<const LookupSnapshot>> make_snapshot(const SnapshotInput& input);

/// Names what a snapshot tells stacks apart by: compiler and library versions. Stacks that differ in the rest only are
/// one.
std::string stack_key(const Stack& stack);

/// The word that stands for a row's result: its verdict; EXCLUDED when it only says why it was excluded; else the
/// result column's own word, which is never guessed into another; INDETERMINATE when the row says nothing at all.
std::string shown_verdict(const Row& row);

/// The target that a row is shown under. A row that says it was emulated is never of `trn2`, whatever else it says.
std::string shown_target(const Row& row);

}  // namespace willitrun
