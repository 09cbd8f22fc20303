#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "checkpoint/checkpoint.h"

namespace willitrun {

/// Rows of equally many numbers in one piece of memory: a model of 90,000 tensors has 90,000 rows.
class NumberRows {
 public:
  using Row = std::span<const std::uint32_t>;

  explicit NumberRows(std::size_t width = 0) : width_(width) {}

  std::size_t width() const { return width_; }
  std::size_t size() const { return count_; }
  Row operator[](std::size_t row) const { return Row(numbers_).subspan(row * width_, width_); }

  /// Adds a number to the row that the next `end_row` ends.
  void push_back(std::uint32_t number) { numbers_.push_back(number); }
  void end_row() { ++count_; }

  /// Removes the rows for which `is_bad` says so.
  template <class Predicate>
  void erase_if(const Predicate& is_bad) {
    std::size_t kept = 0;
    for (std::size_t row = 0; row < count_; ++row) {
      if (is_bad((*this)[row])) continue;
      for (std::size_t i = 0; i < width_; ++i) numbers_[kept * width_ + i] = numbers_[row * width_ + i];
      ++kept;
    }
    count_ = kept;
    numbers_.resize(kept * width_);
  }

 private:
  std::size_t width_ = 0, count_ = 0;
  std::vector<std::uint32_t> numbers_;
};

/// Tensors whose names differ only in numbers and whose dtype and shape are equal. A model of 90,000 tensors has about
/// a hundred such groups, so whatever is decided per name is decided once per group.
struct TensorGroup {
  /// The name with stand-ins for the numbers that vary: stand-in i is stand_in(i). Numbers that take only small values
  /// stay as they are, because conversions may single them out (`proj.0.weight`).
  std::string name;
  Dtype dtype = Dtype::F32;
  std::vector<std::uint64_t> shape;
  NumberRows numbers;  ///< For each tensor, the numbers that the stand-ins hide.
};

/// The text that stands for the i-th varying number: digits that no real name has.
std::string stand_in(std::size_t index);

/// Groups the tensors that the loader would read.
std::vector<TensorGroup> group_tensors(const Checkpoint& checkpoint);

/// The stand-ins that occur in `name`, in order.
std::vector<std::size_t> stand_ins_in(const std::string& name, std::size_t count);

}  // namespace willitrun
