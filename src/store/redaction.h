#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "domain/row.h"
#include "store/dataset.h"

namespace willitrun {

/// What must not leave this machine, beside what its form gives away.
struct PrivateWords {
  std::vector<std::string> folders;  ///< Home folders and the like; replaced by `~`.
  std::vector<std::string> hosts;    ///< Names of this machine; replaced by `<host>`.
  std::vector<std::string> secrets;  ///< Tokens in use; replaced by `<secret>`.
};

/// Takes out of a text: the words themselves; access tokens by their form (Hub, GitHub, AWS, `Bearer ...`,
/// `NAME_TOKEN=...`); credentials in URLs; home folders (`/home/x`, `/Users/x`, `/root`); names of cloud hosts and
/// private addresses. Everything else stays as it is.
std::string redact(std::string_view text, const PrivateWords& words);

/// Returns the rows that may be published: those of models in local folders or local mirrors are left out, and every
/// text but model id, prompt and generated text is redacted. `script_sha256` follows a script that changed.
Dataset publishable(Dataset dataset, const PrivateWords& words);

}  // namespace willitrun
