#pragma once

#include <cstdint>
#include <vector>

#include "lookup/bitmap.h"
#include "lookup/snapshot.h"
#include "lookup/snapshot_file.h"

namespace willitrun {

/// A row's place in the order of cells.
struct CellPlace {
  std::uint64_t target_and_model = 0;  ///< 32 bits each.
  std::uint32_t line = 0;              ///< 16 bits of library rank, 16 of compiler rank.
  std::uint32_t row = 0;               ///< Its number in the order of arrival.
};

/// What cells are laid out by: how many models, targets and stacks there are, and how stacks compare part by part
/// (equal parts have equal ranks).
struct CellAxes {
  std::size_t num_models = 0;
  std::size_t num_targets = 0;
  std::vector<std::uint32_t> library_rank;   ///< By stack number.
  std::vector<std::uint32_t> compiler_rank;  ///< By stack number.

  std::size_t num_stacks() const { return library_rank.size(); }
};

/// The parts of a CellTable, as they are made.
class CellLayout {
 public:
  /// `places` in their order, one per cell; `stack_of_row` by number of arrival.
  CellLayout(const CellAxes& axes, const std::vector<CellPlace>& places, const std::vector<StackNumber>& stack_of_row);

  /// Writes the sections `cells.*`.
  void write(SnapshotFileWriter& writer) &&;

 private:
  CellRange cells_of(std::size_t target, std::size_t model) const;
  CellRange cells_of_target(std::size_t target) const;
  void start_models(const CellAxes& axes, const std::vector<CellPlace>& places);
  void list_by_stack(const CellAxes& axes);
  void link(const CellAxes& axes);

  std::size_t num_models_;
  std::vector<ModelNumber> model_of_cell_;
  std::vector<std::uint16_t> stack_of_cell_;
  std::vector<CellNumber> model_starts_, by_stack_, next_library_;
  std::vector<std::uint32_t> stack_starts_;
  std::vector<Bitmap> has_next_compiler_;
};

}  // namespace willitrun
