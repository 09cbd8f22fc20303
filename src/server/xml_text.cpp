#include "server/xml_text.h"

#include "base/text.h"

namespace willitrun {

std::string xml_text(std::string_view text) {
  std::string escaped;
  for (const char byte : to_valid_utf8(text)) {
    switch (byte) {
      case '&': escaped += "&amp;"; break;
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      case '"': escaped += "&quot;"; break;
      case '\'': escaped += "&#39;"; break;
      case '\t':
      case '\n':
      case '\r': escaped += ' '; break;
      default:
        if (static_cast<unsigned char>(byte) < 0x20)
          escaped += "\xef\xbf\xbd";
        else
          escaped += byte;
    }
  }
  return escaped;
}

}  // namespace willitrun
