#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/result.h"

namespace willitrun {

/// What a template is filled with.
struct TemplateValues {
  std::map<std::string, bool, std::less<>> conditions;
  std::map<std::string, std::string, std::less<>> texts;
};

/// Fills a template. A line `@if NAME@` keeps the lines up to `@else@` or `@end@` when the condition holds, those after
/// `@else@` when it does not; they may be nested. In the lines kept, `@NAME@` becomes the text of that name, which is
/// not read again. Internal when a name is unknown or a block is not closed: the template and its user do not match.
Result<std::string> fill_template(std::string_view text, const TemplateValues& values);

}  // namespace willitrun
