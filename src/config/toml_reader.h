#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace willitrun {

/// One table of a TOML document, read strictly: a key that nobody asked for, or a value of another type, is an error.
///
/// Errors are collected in the document, so that reading code stays straight: read every key, let go of inner tables (a
/// table checks its keys when it is destroyed), then call finish() on the outermost.
class TomlTable {
 public:
  /// Parses a document. `where` names it in messages.
  static Result<TomlTable> parse(std::string_view toml, std::string_view where);

  TomlTable(TomlTable&&) noexcept;
  ~TomlTable();

  std::string text(std::string_view key);  ///< Required.
  std::string text_or(std::string_view key, std::string fallback);
  std::int64_t integer(std::string_view key);  ///< Required, not negative.
  std::int64_t integer_or(std::string_view key, std::int64_t fallback);
  bool boolean_or(std::string_view key, bool fallback);
  std::vector<std::string> texts_or(std::string_view key, std::vector<std::string> fallback);
  std::vector<std::int64_t> integers(std::string_view key);           ///< Required.
  std::map<std::string, std::string> text_map(std::string_view key);  ///< A table of texts; empty when absent.
  TomlTable table(std::string_view key);                              ///< Required.
  std::vector<TomlTable> tables(std::string_view key);                ///< An array of tables; empty when absent.

  /// Returns the first error of the document, unknown keys included.
  Status finish();

 private:
  struct State;
  explicit TomlTable(State state);

  std::unique_ptr<State> state_;
};

}  // namespace willitrun
