#include "base/result.h"

namespace willitrun {

std::string_view to_text(Code code) {
  switch (code) {
    case Code::InvalidArgument: return "invalid_argument";
    case Code::NotFound: return "not_found";
    case Code::AlreadyExists: return "already_exists";
    case Code::Corruption: return "corruption";
    case Code::Io: return "io";
    case Code::Timeout: return "timeout";
    case Code::Unavailable: return "unavailable";
    case Code::PermissionDenied: return "permission_denied";
    case Code::ResourceExhausted: return "resource_exhausted";
    case Code::Cancelled: return "cancelled";
    case Code::Internal: return "internal";
  }
  return "internal";
}

Error with_context(Error error, std::string_view context) {
  error.message.insert(0, ": ").insert(0, context);
  return error;
}

}  // namespace willitrun
