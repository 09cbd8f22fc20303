#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace willitrun {

/// Makes an index over names, which are given in rank order (the order in which answers are wanted); their numbers in
/// the index are their places in `names`. The result is the content of an index file: the same names give the same
/// bytes. Names may hold any bytes; kNameEnd in a name becomes a control byte. ResourceExhausted when the names are
/// longer than 4 GiB in all.
Result<std::string> build_name_index(std::span<const std::string_view> names);

}  // namespace willitrun
