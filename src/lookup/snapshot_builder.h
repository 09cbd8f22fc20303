#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/result.h"
#include "domain/ranking.h"
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

  /// ResourceExhausted when there are more than 65,536 stacks, 256 targets or 2^32 cells.
  Result<std::shared_ptr<const LookupSnapshot>> finish() &&;

 private:
  struct ModelFacts {
    RankedModel model;
    bool ranked = false;
  };

  /// A row's place in the order of cells.
  struct Place {
    std::uint64_t target_and_model;  // 32 bits each
    std::uint32_t line;              // 16 bits of library rank, 16 of compiler rank
    std::uint32_t row;
  };

  std::uint32_t model_number_of(std::string_view id);
  std::uint32_t stack_number_of(const Row& row);
  std::vector<std::uint32_t> models_by_downloads() const;
  Status make_models();
  void add_model_facts(ModelNumber number, const ModelFacts& facts);
  void mark_selected_and_excluded();
  Status make_stacks();
  std::vector<Place> sorted_places() const;
  void make_cells();
  void index_cells();
  void link_cells();

  SnapshotData data_;

  std::vector<ModelFacts> models_;  // in the order of their first appearance, as are stacks and targets
  std::unordered_map<std::string, std::uint32_t> model_numbers_;
  std::vector<ModelNumber> final_model_;

  std::vector<Stack> stacks_;
  std::vector<std::int64_t> stack_tested_at_;
  std::unordered_map<std::string, std::uint32_t> stack_numbers_;
  std::vector<StackNumber> final_stack_;
  std::vector<std::uint32_t> library_rank_;   // by final stack number
  std::vector<std::uint32_t> compiler_rank_;  // by final stack number

  std::vector<std::string> targets_;
  std::vector<std::uint8_t> final_target_;

  std::vector<std::uint32_t> row_model_, row_stack_;
  std::vector<std::uint8_t> row_target_;
  std::vector<std::int64_t> row_tested_at_;
  std::vector<std::string> selected_;
  std::vector<std::pair<std::string, Exclusion>> excluded_;
};

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
