#include "hub/answer_error.h"

#include <fmt/format.h>

#include "base/text.h"

namespace willitrun {
namespace {

std::string name_of(const RepoRef& repo) {
  return fmt::format("{} '{}'", repo.kind == RepoKind::Model ? "model" : "dataset", repo.id);
}

std::string web_page(const Question& question) {
  return fmt::format("{}/{}{}", question.endpoint, question.repo.kind == RepoKind::Dataset ? "datasets/" : "",
                     question.repo.id);
}

std::string subject(const Question& question) {
  return question.path.empty() ? name_of(question.repo)
                               : fmt::format("'{}' of {}", question.path, name_of(question.repo));
}

/// The facts at the end of a message: status, the Hub's code, its own words.
std::string facts(const HttpAnswer& answer) {
  std::string facts = fmt::format("status {}", answer.status);
  if (const auto code = answer.header("x-error-code"); !code.empty()) facts += fmt::format(", {}", to_valid_utf8(code));
  if (const auto words = answer.header("x-error-message"); !words.empty())
    facts += fmt::format(", {}", to_valid_utf8(words));
  return facts;
}

std::string revision_of(const RepoRef& repo) { return repo.revision.empty() ? "main" : repo.revision; }

Error missing(const HttpAnswer& answer, const Question& question) {
  const std::string_view code = answer.header("x-error-code");
  const std::string name = name_of(question.repo);
  if (code == "RevisionNotFound")
    return {Code::NotFound,
            fmt::format("{} has no revision '{}' ({})", name, revision_of(question.repo), facts(answer))};
  if (code == "EntryNotFound" || (code.empty() && !question.path.empty()))
    return {Code::NotFound, fmt::format("{} has no file '{}' at '{}' ({})", name, question.path,
                                        revision_of(question.repo), facts(answer))};
  return {Code::NotFound,
          fmt::format("no {} on {}: check the name; if it is private, set HF_TOKEN to a token that may read it ({})",
                      name, question.endpoint, facts(answer))};
}

Error closed(const HttpAnswer& answer, const Question& question) {
  const std::string page = web_page(question);
  if (answer.header("x-error-code") == "GatedRepo")
    return {Code::PermissionDenied,
            fmt::format("{} is gated: ask for access at {} and set HF_TOKEN to a token of that account ({})",
                        name_of(question.repo), page, facts(answer))};
  return {Code::PermissionDenied,
          fmt::format("the Hub does not give {}: {}; the page {} says what it asks for ({})", subject(question),
                      question.has_token ? "the token is not accepted or may not read it"
                                         : "set HF_TOKEN to a token that may read it",
                      page, facts(answer))};
}

}  // namespace

Error error_of_answer(const HttpAnswer& answer, const Question& question) {
  const std::string_view code = answer.header("x-error-code");
  switch (answer.status) {
    case 404:
    case 410: return missing(answer, question);
    case 401:
    case 403:
    case 451: return code == "RepoNotFound" ? missing(answer, question) : closed(answer, question);
    case 429:
      return {Code::Unavailable,
              fmt::format("the Hub limits how much may be asked of it: no answer about {}, try later{} ({})",
                          subject(question), question.has_token ? "" : " or set HF_TOKEN", facts(answer))};
    default: break;
  }
  if (answer.status >= 500)
    return {Code::Unavailable,
            fmt::format("the Hub has trouble: no answer about {}, try later ({})", subject(question), facts(answer))};
  return {Code::Corruption,
          fmt::format("the Hub gave an unexpected answer about {} ({})", subject(question), facts(answer))};
}

}  // namespace willitrun
