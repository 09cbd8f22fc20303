#pragma once

#include <string_view>

#include "lookup/query.h"

namespace willitrun {

/// Tells whether a text answers a condition of a word, text or version field. An empty text is absent and answers none.
bool text_matches(const Condition& condition, std::string_view text);

/// Tells whether a number, a time in milliseconds or a flag answers a condition.
bool number_matches(const Condition& condition, double number);

}  // namespace willitrun
