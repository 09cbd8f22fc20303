#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace willitrun {

/// Version of the snapshot's format (docs/formats/snapshot.md): of the container and of what its sections hold.
constexpr std::uint32_t kSnapshotVersion = 1;

/// Puts named sections behind a header. Each one is written when all sizes are known, straight to its place, so that a
/// large snapshot is never in memory twice.
class SnapshotFileWriter {
 public:
  /// Writes a section's bytes to where they belong.
  using Fill = std::move_only_function<void(char* to)>;

  /// Adds a section. What `fill` holds is freed once it has been called.
  void add(std::string name, std::uint64_t size_bytes, Fill fill);

  /// Adds a section of numbers or letters.
  template <class Values>
  void add(std::string name, Values values) {
    const std::uint64_t size_bytes = values.size() * sizeof(typename Values::value_type);
    add(std::move(name), size_bytes, [values = std::move(values), size_bytes](char* to) {
      if (size_bytes > 0) std::memcpy(to, values.data(), size_bytes);
    });
  }

  /// Adds texts as two sections, `<name>.texts` and `<name>.starts`.
  void add_texts(const std::string& name, std::span<const std::string> texts);

  /// Returns the file's content. `state` (at most 64 bytes) names what the snapshot was made from.
  std::string finish(std::string_view state) &&;

 private:
  struct Planned {
    std::string name;
    std::uint64_t size_bytes;
    Fill fill;
  };

  std::vector<Planned> sections_;
};

/// Finds sections in a file that SnapshotFileWriter made. Does not own the bytes.
class SnapshotFileReader {
 public:
  /// Looks at the header and at where sections lie, not into them. Corruption says what is wrong; InvalidArgument
  /// names a version that this program does not know.
  static Result<SnapshotFileReader> open(std::string_view bytes);

  /// Compares the whole content with its checksum.
  Status verify() const;

  /// What the snapshot was made from.
  std::string_view state() const;

  /// The bytes of a section, or nothing when there is none of that name.
  std::optional<std::string_view> find(std::string_view name) const;

  /// The numbers of a section. Corruption when it is not there or does not hold `count` of them.
  template <class T>
  Result<std::span<const T>> numbers(std::string_view name, std::size_t count) const {
    ASSIGN_OR_RETURN(const std::span<const T> all, numbers<T>(name));
    if (all.size() != count) return fail(wrong_size(name));
    return all;
  }

  /// The numbers of a section, however many.
  template <class T>
  Result<std::span<const T>> numbers(std::string_view name) const {
    const auto bytes = find(name);
    if (!bytes || bytes->size() % sizeof(T) != 0) return fail(wrong_size(name));
    return std::span(reinterpret_cast<const T*>(bytes->data()), bytes->size() / sizeof(T));
  }

 private:
  static Error wrong_size(std::string_view section);

  std::string_view bytes_;
  std::vector<std::pair<std::string_view, std::string_view>> sections_;  // name and content, sorted by name
};

}  // namespace willitrun
