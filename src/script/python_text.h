#pragma once

#include <string>
#include <string_view>

namespace willitrun {

/// Returns `text` as a Python string literal in double quotes, on one line, whatever it holds. Bytes that are not UTF-8
/// become U+FFFD.
std::string python_literal(std::string_view text);

/// Returns `text` as it may stand inside a docstring, on one line: it can neither end it nor be read as an escape.
std::string docstring_text(std::string_view text);

}  // namespace willitrun
