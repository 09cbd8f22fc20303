#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace willitrun {

/// The kinds of error that any room may return. The command line maps them to exit statuses, the server to HTTP ones.
enum class Code {
  InvalidArgument,
  NotFound,
  AlreadyExists,
  Corruption,
  Io,
  Timeout,
  Unavailable,
  PermissionDenied,
  ResourceExhausted,
  Cancelled,
  Internal,
};

/// Returns the name of `code` in lower case with underscores, as JSON answers carry it: `invalid_argument`.
std::string_view to_text(Code code);

/// What went wrong, as a value. `message` says what, where and what to do: lower case, names quoted once, facts at the
/// end.
struct Error {
  Code code = Code::Internal;
  std::string message;
};

/// Returns `error` with `context` put before its message: `context: message`.
Error with_context(Error error, std::string_view context);

/// A value or an error. Absence is not an error: use `Result<std::optional<T>>`.
template <class T>
using Result = std::expected<T, Error>;

using Status = Result<void>;

/// Makes the error half of a Result: `return fail(Code::NotFound, "no file 'x'")`.
inline std::unexpected<Error> fail(Code code, std::string message) {
  return std::unexpected(Error{code, std::move(message)});
}

/// Passes on the error of another Result.
inline std::unexpected<Error> fail(Error error) { return std::unexpected(std::move(error)); }

}  // namespace willitrun

// Two steps, so that __LINE__ is expanded before it is pasted.
#define WILLITRUN_CONCAT_(a, b) a##b
#define WILLITRUN_CONCAT(a, b) WILLITRUN_CONCAT_(a, b)

/// Returns from the function when `expression` (a Status or Result) holds an error.
#define RETURN_IF_ERROR(expression)                                                     \
  do {                                                                                  \
    if (auto status_ = (expression); !status_) return std::unexpected(status_.error()); \
  } while (false)

/// Declares `declaration` and gives it the value of a Result, or returns its error.
#define ASSIGN_OR_RETURN(declaration, expression) \
  ASSIGN_OR_RETURN_(WILLITRUN_CONCAT(result_, __LINE__), declaration, expression)
#define ASSIGN_OR_RETURN_(result, declaration, expression) \
  auto result = (expression);                              \
  if (!result) return std::unexpected(result.error());     \
  declaration = std::move(*result)
