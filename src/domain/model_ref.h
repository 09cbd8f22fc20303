#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace willitrun {

/// How a user names a model: a Hub id (`Qwen/Qwen3-0.6B`), optionally with `@revision`, or a local folder.
///
/// A text is a folder when it starts with `/`, `./`, `../` or `~/`; everything else must be a Hub id. Hub ids are
/// `owner/name` or, for the oldest models, `name`; both parts hold letters, digits, `-`, `_` and `.`, at most 96
/// characters each, never `--` or `..`; no part starts or ends with `-` or `.`, and the id does not end with `.git`
/// (huggingface_hub, utils/_validators.py).
struct ModelRef {
  enum class Kind { Hub, Folder };

  Kind kind = Kind::Hub;
  std::string id;        ///< The Hub id, or the folder's path as it was given.
  std::string revision;  ///< Branch, tag or commit; empty means `main`. Always empty for a folder.

  bool operator==(const ModelRef&) const = default;
};

/// Reads a model reference. InvalidArgument names what is wrong with `text`.
Result<ModelRef> parse_model_ref(std::string_view text);

/// Tells whether `id` is a well-formed Hub id by the rules above.
bool is_hub_id(std::string_view id);

/// Writes the reference as a user would type it.
std::string to_text(const ModelRef& ref);

}  // namespace willitrun
