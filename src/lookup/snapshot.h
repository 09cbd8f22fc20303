#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "domain/exclusion.h"
#include "domain/stack.h"
#include "lookup/bitmap.h"
#include "lookup/column.h"
#include "search/name_index.h"

namespace willitrun {

/// A model of a snapshot, by number. Numbers follow downloads: 0 is the most downloaded model.
using ModelNumber = std::uint32_t;

/// A result of a snapshot, by number: the verdict of one model on one stack and target.
using CellNumber = std::uint32_t;

/// A stack of a snapshot, by number, from old to new.
using StackNumber = std::uint32_t;

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

/// What is known about models, one value per model number. absent_number() where nothing is known.
struct ModelTable {
  TextColumn task, library, license;
  std::span<const std::int64_t> downloads, likes, parameters;
  std::span<const double> trending_score;
  std::span<const std::int32_t> downloads_rank, trending_rank;
  std::span<const std::int32_t> selected_rank;  ///< Place in the selection, from 1.
  BitView gated, removed, local, ranked;        ///< ranked: it stands in a list of the Hub or of a local mirror.
  TextColumn exclusion, exclusion_kind;         ///< Why the model is deliberately not tested.
};

/// A neighbouring run of cells.
struct CellRange {
  CellNumber first = 0;
  CellNumber last = 0;  ///< One behind.

  std::size_t size() const { return last - first; }
};

/// Which cells there are, and how they follow each other.
struct CellTable {
  std::size_t num_models = 0;
  std::span<const ModelNumber> model_of_cell;
  std::span<const std::uint16_t> stack_of_cell;
  std::span<const CellNumber>
      model_starts;  ///< Per target num_models + 1 cell numbers: where each model's cells begin.
  std::span<const CellNumber> stack_cells;
  std::span<const std::uint32_t> stack_starts;  ///< Per target and stack, into stack_cells; one more at the end.
  std::vector<BitView> has_next_compiler;       ///< Per target, a bit per cell of it.
  std::span<const CellNumber> next_library;

  /// The cells of one model on one target.
  CellRange cells_of(std::uint32_t target, ModelNumber model) const {
    const std::size_t at = target * (num_models + 1) + model;
    return {model_starts[at], model_starts[at + 1]};
  }

  /// All cells of one target.
  CellRange cells_of_target(std::uint32_t target) const {
    return {model_starts[target * (num_models + 1)], model_starts[(target + 1) * (num_models + 1) - 1]};
  }
};

/// What a snapshot's sections hold (docs/formats/snapshot.md); LookupSnapshot gives them meaning.
struct SnapshotData {
  std::shared_ptr<const void> owner;  ///< Keeps the bytes that everything else looks into.
  NameIndex names = NameIndex::empty();
  std::span<const ModelNumber> by_id;  ///< Model numbers sorted by id.
  ModelTable models;
  std::vector<Stack> stacks;
  std::vector<std::string> targets;
  CellTable cells;
  TextColumn verdicts;
  std::vector<CellColumn> columns;
};

/// Everything that views and queries look at, in columns: immutable, so any number of threads read it without locks.
/// Made by SnapshotBuilder or read from a file (snapshot_cache.h); swapped as a whole when new rows land
/// (snapshot_holder.h). In memory and in a file it is the same bytes, so that a mapped file is a snapshot at once.
///
/// Cells are sorted by target, model, library version and neuronx-cc. All results of a model are neighbours, and so are
/// those with the same library from one compiler to the next.
class LookupSnapshot {
 public:
  /// Opens a snapshot over the content of its file, which SnapshotBuilder made: `owner` keeps it. Looks only at where
  /// things lie: whoever has the bytes from a disk compares them with their checksum before (SnapshotFileReader).
  /// Corruption when a section is missing or has another size than it should.
  static Result<std::shared_ptr<const LookupSnapshot>> open(std::shared_ptr<const void> owner, std::string_view bytes);

  /// `data` is consistent: open() made it.
  explicit LookupSnapshot(SnapshotData data) : data_(std::move(data)) {}
  LookupSnapshot(const LookupSnapshot&) = delete;
  LookupSnapshot& operator=(const LookupSnapshot&) = delete;

  std::uint32_t num_models() const { return data_.names.size(); }
  std::string_view model_id(ModelNumber model) const { return data_.names.name(model); }
  std::optional<ModelNumber> find_model(std::string_view id) const;
  const ModelTable& models() const { return data_.models; }
  const NameIndex& names() const { return data_.names; }

  /// Stacks that have a result on some target, old to new. Those that differ only in what short_name() leaves out are
  /// one; the value is that of its newest result.
  std::span<const Stack> stacks() const { return data_.stacks; }

  /// Targets that have results, sorted by name.
  std::span<const std::string> targets() const { return data_.targets; }
  std::optional<std::uint32_t> find_target(std::string_view name) const;

  std::size_t num_cells() const { return data_.cells.model_of_cell.size(); }
  CellRange cells_of_target(std::uint32_t target) const { return data_.cells.cells_of_target(target); }
  CellRange cells_of(std::uint32_t target, ModelNumber model) const { return data_.cells.cells_of(target, model); }
  ModelNumber model_of(CellNumber cell) const { return data_.cells.model_of_cell[cell]; }
  StackNumber stack_of(CellNumber cell) const { return data_.cells.stack_of_cell[cell]; }

  /// The cells of a target on one stack, by model number.
  std::span<const CellNumber> cells_on(std::uint32_t target, StackNumber stack) const;

  /// One bit per cell of the target: whether its neighbour is the same model's result with the same library on the next
  /// compiler that was tried.
  BitView has_next_compiler(std::uint32_t target) const { return data_.cells.has_next_compiler[target]; }

  /// The same model's result with the same compiler on the next library version that was tried; kNone without.
  CellNumber next_library(CellNumber cell) const { return data_.cells.next_library[cell]; }

  /// The word that stands for the result: the verdict; for rows of others their own word.
  const TextColumn& verdicts() const { return data_.verdicts; }

  /// The column of that name, or null when the snapshot does not keep it.
  const CellColumn* column(std::string_view name) const;
  std::span<const CellColumn> columns() const { return data_.columns; }

  /// The cell as a row: every column that the snapshot keeps and what is known about the model.
  Row row_of(CellNumber cell) const;

  /// A row for a model without a result: the model's facts only.
  Row row_without_result(ModelNumber model) const;

 private:
  SnapshotData data_;
};

}  // namespace willitrun
