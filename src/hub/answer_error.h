#pragma once

#include <string_view>

#include "base/result.h"
#include "hub/http_client.h"
#include "hub/hub.h"

namespace willitrun {

/// What was asked for, for messages: a repository, or a file of it.
struct Question {
  RepoRef repo;
  std::string path;      ///< Empty when the question is about the repository.
  std::string endpoint;  ///< Address of the Hub.
  bool has_token = false;
};

/// Makes the error that a status of 300 and more means (codes: see Hub). The Hub says 401 for missing repositories as
/// well as for closed ones; its X-Error-Code header tells them apart.
Error error_of_answer(const HttpAnswer& answer, const Question& question);

}  // namespace willitrun
