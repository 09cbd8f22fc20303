#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace boost::json {
class value;
}

namespace willitrun {

/// A plan table of a megabyte of which one plan needs a few records: the text is walked once to find where each record
/// lies, and a record is parsed when it is first asked for, then kept. Thread-safe.
class TableDocument {
 public:
  /// Takes the text of a plan table; fails when it is not an object of JSON.
  static Result<std::shared_ptr<const TableDocument>> open(std::string text);
  ~TableDocument();

  /// The value of a key of the whole table, or of one of its sections; null (as JSON) when there is none.
  const boost::json::value& at(std::string_view key) const;
  const boost::json::value& at(std::string_view section, std::string_view name) const;

 private:
  struct State;
  explicit TableDocument(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace willitrun
