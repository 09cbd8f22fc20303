#pragma once

#include <string_view>

#include "base/result.h"
#include "lookup/query.h"

namespace willitrun {

/// The comparisons that a query knows. `!=` and `:!` are the opposite of `=` and `:` and never come here.
enum class QueryComparison { Has, Equal, Less, LessOrEqual, Greater, GreaterOrEqual };

/// Reads the values of `field comparison values`: alternatives between `|`, ranges `low..high` where the field has an
/// order. The error's message says what is wrong with the value; the caller adds where.
Result<Condition> make_condition(const QueryField& field, QueryComparison comparison, std::string_view values);

/// Reads a number with an optional multiple: k, M, G or B, T (powers of 1000), KiB, MiB, GiB, TiB (of 1024).
Result<double> parse_number(std::string_view text);

/// The numbers x for which `x comparison number` holds.
NumberSpan span_of(QueryComparison comparison, double number);

}  // namespace willitrun
