#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "lookup/query_fields.h"
#include "search/name_query.h"

namespace willitrun {

/// A span of numbers, both ends included; times are milliseconds since 1970, and "more than 4" ends just above 4.
struct NumberSpan {
  double low = 0;
  double high = 0;

  bool holds(double number) const { return number >= low && number <= high; }
  bool operator==(const NumberSpan&) const = default;
};

/// How a text is asked for.
enum class TextMatch {
  Has,            ///< `:`. Words: equal, `*` for anything. Texts: contains. Versions: that version or one below it.
  Equal,          ///< `=`
  Less,           ///< `<`, for versions
  LessOrEqual,    ///< `<=`
  Greater,        ///< `>`
  GreaterOrEqual  ///< `>=`
};

/// A text to compare with. Case does not count.
struct TextTest {
  TextMatch match = TextMatch::Has;
  std::string text;  ///< In lower case.

  bool operator==(const TextTest&) const = default;
};

/// One question about one field. It holds when any alternative holds; an absent value answers none of them.
struct Condition {
  const QueryField* field = nullptr;
  std::vector<TextTest> texts;      ///< For words, texts and versions.
  std::vector<NumberSpan> numbers;  ///< For numbers, times and flags (0 or 1).

  bool operator==(const Condition&) const = default;
};

/// A part of a query. Leaves are Condition and Name; the rest combines its children.
struct QueryNode {
  enum class Kind {
    All,         ///< and; without children it holds always
    Any,         ///< or; without children it never holds
    Not,         ///< one child
    Condition,   ///< of the shown result, or inside an operator over stacks of each result
    Name,        ///< part of the model's name
    Sequence,    ///< seq(a b ...): neighbouring results along one line of stacks
    EveryStack,  ///< all(x): there are results, and x holds for each
    SomeStack,   ///< any(x)
    NoStack,     ///< none(x)
    CountStacks  ///< count>=N(x)
  };

  Kind kind = Kind::All;
  std::vector<QueryNode> children;
  Condition condition;
  NameQuery name;
  NumberSpan count;

  bool operator==(const QueryNode&) const = default;
};

/// A field to sort by. Models without a value come last either way.
struct SortKey {
  const QueryField* field = nullptr;
  bool descending = false;

  bool operator==(const SortKey&) const = default;
};

/// A question to the snapshot: which models, in which order. docs/query.md explains the language.
struct Query {
  QueryNode where;
  std::vector<SortKey> sort;  ///< Most important first; empty: the view's own order.

  bool operator==(const Query&) const = default;
};

/// Longest query text.
constexpr std::size_t kMaxQueryBytes = 16 * 1024;

/// Reads a query. InvalidArgument says at which column (from 1, in characters) it cannot be read, why, and what could
/// be meant. An empty text holds for every model.
Result<Query> parse_query(std::string_view text);

}  // namespace willitrun
