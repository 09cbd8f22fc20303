#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace willitrun {

/// What a person typed to find a model: words that must all occur in `owner/name`, in any order, each as a part of it.
struct NameQuery {
  std::vector<std::string> words;  ///< Folded (fold.h), longest first, no word a part of another.

  bool operator==(const NameQuery&) const = default;
};

/// Longest text that parse_name_query takes. No model id is longer than 96 characters.
constexpr std::size_t kMaxNameQueryBytes = 1024;

/// Reads a search text. Spaces separate words; case does not count; `-`, `_` and `.` stand for each other; `/` is the
/// line between owner and name, so `qwen/` asks for names under an owner that ends in `qwen`. A text without words
/// matches every name. InvalidArgument when the text is too long.
Result<NameQuery> parse_name_query(std::string_view text);

/// Returns the query that people mean who leave out separators: letters and the digits after them become separate
/// words, so that `llama3.1` also finds `Llama-3.1-8B`. Nothing when that changes nothing. To be tried when the query
/// as typed finds no name.
std::optional<NameQuery> relaxed(const NameQuery& query);

/// Tells whether one name matches: the definition that the index is tested against.
bool matches(const NameQuery& query, std::string_view name);

}  // namespace willitrun
