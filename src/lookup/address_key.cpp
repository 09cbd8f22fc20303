#include "lookup/address_key.h"

#include <fmt/format.h>

namespace willitrun {

std::string address_key(std::string_view text) {
  std::string key;
  for (const char byte : text) {
    const bool is_plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                          (byte >= '0' && byte <= '9') || byte == '.' || byte == '_' || byte == '-';
    if (is_plain)
      key += byte;
    else
      key += fmt::format("~{:02x}", static_cast<unsigned char>(byte));
  }
  return key;
}

std::string address_key(const Stack& stack) {
  const std::string& library = stack.transformers.empty() ? stack.library_version : stack.transformers;
  return address_key(stack.neuronx_cc.empty() ? std::string_view("-") : stack.neuronx_cc) + "_" + address_key(library);
}

}  // namespace willitrun
