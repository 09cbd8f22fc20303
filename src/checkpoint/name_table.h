#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace willitrun {

/// Numbers names in the order in which they are added: 0, 1, ... A hash table half full at most, collisions in the next
/// slot; a slot holds part of the hash, so that a name is only looked at when it is very likely the right one. The
/// names must outlive the table.
class NameTable {
 public:
  explicit NameTable(std::size_t capacity);

  /// Returns the name's number and whether it is new.
  std::pair<std::uint32_t, bool> add(std::string_view name);

  std::optional<std::uint32_t> find(std::string_view name) const;

  std::size_t size() const { return names_.size(); }

 private:
  struct Slot {
    std::uint32_t tag = 0;
    std::uint32_t number = 0;  ///< Plus one; 0 is a free slot.
  };

  /// The slot that holds the name, or the free one where it would lie.
  std::size_t slot_of(std::string_view name, std::size_t hash) const;

  std::size_t capacity_;
  std::vector<Slot> slots_;
  std::vector<std::string_view> names_;
};

}  // namespace willitrun
