#include "checkpoint/name_table.h"

#include <bit>
#include <functional>

#include "base/check.h"

namespace willitrun {
namespace {

std::size_t hash_of(std::string_view name) { return std::hash<std::string_view>{}(name); }

std::uint32_t tag_of(std::size_t hash) { return static_cast<std::uint32_t>(hash >> 32); }

}  // namespace

NameTable::NameTable(std::size_t capacity) : capacity_(capacity), slots_(std::bit_ceil(2 * capacity + 1)) {
  names_.reserve(capacity);
}

std::size_t NameTable::slot_of(std::string_view name, std::size_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash & mask;
  for (; slots_[slot].number != 0; slot = (slot + 1) & mask)
    if (slots_[slot].tag == tag_of(hash) && names_[slots_[slot].number - 1] == name) break;
  return slot;
}

std::pair<std::uint32_t, bool> NameTable::add(std::string_view name) {
  const std::size_t hash = hash_of(name);
  Slot& slot = slots_[slot_of(name, hash)];
  if (slot.number != 0) return {slot.number - 1, false};
  CHECK(names_.size() < capacity_);
  names_.push_back(name);
  slot = {tag_of(hash), static_cast<std::uint32_t>(names_.size())};
  return {slot.number - 1, true};
}

std::optional<std::uint32_t> NameTable::find(std::string_view name) const {
  const Slot& slot = slots_[slot_of(name, hash_of(name))];
  if (slot.number == 0) return std::nullopt;
  return slot.number - 1;
}

}  // namespace willitrun
