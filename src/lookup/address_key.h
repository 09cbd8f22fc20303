#pragma once

#include <string>
#include <string_view>

#include "domain/stack.h"

namespace willitrun {

/// Writes a text so that it can be a part of an address and a file's name: letters, digits, `.`, `_` and `-` stay,
/// every other byte becomes `~` and two hexadecimal digits. Different texts have different keys.
std::string address_key(std::string_view text);

/// The key of a stack: its compiler version (`-` without one), `_`, its library version.
std::string address_key(const Stack& stack);

}  // namespace willitrun
