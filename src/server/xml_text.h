#pragma once

#include <string>
#include <string_view>

namespace willitrun {

/// Writes a text so that it is plain text inside XML and HTML, elements and quoted attributes alike. Bytes that are not
/// UTF-8 and characters that XML does not allow become U+FFFD.
std::string xml_text(std::string_view text);

}  // namespace willitrun
