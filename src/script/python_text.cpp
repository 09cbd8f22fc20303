#include "script/python_text.h"

#include <fmt/format.h>

#include <iterator>

#include "base/text.h"

namespace willitrun {

std::string docstring_text(std::string_view text) {
  std::string escaped;
  for (const char c : to_valid_utf8(text)) {
    if (c == '"' || c == '\\') {
      escaped += '\\';
      escaped += c;
    } else if (c == '\n') {
      escaped += "\\n";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      fmt::format_to(std::back_inserter(escaped), "\\x{:02x}", static_cast<unsigned>(c));
    } else {
      escaped += c;
    }
  }
  return escaped;
}

std::string python_literal(std::string_view text) { return '"' + docstring_text(text) + '"'; }

}  // namespace willitrun
