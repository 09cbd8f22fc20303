#pragma once

#include <optional>
#include <string_view>

#include "base/time.h"

namespace willitrun {

/// When and how often a request is tried again.
struct RetryRule {
  int max_attempts = 5;
  double first_delay_s = 1;
  double max_delay_s = 120;
};

/// A try that brought no usable answer.
struct FailedTry {
  int number = 1;                       ///< 1 for the first try.
  int status = 0;                       ///< HTTP status; 0 when the connection failed or broke.
  std::optional<double> retry_after_s;  ///< How long the server asks to wait.
};

/// Tells whether a status may go away by itself: 408, 429, 500, 502, 503, 504, and no answer at all (0).
bool is_passing_trouble(int status);

/// Returns the pause before the next try; nothing when it is not worth it or the server asks for more patience than
/// allowed.
///
/// The pause is what the server asks for, else first_delay_s doubled for every try; plus a random part of up to the
/// same amount (`random` in [0, 1)), so that many clients do not come back at the same moment.
std::optional<double> delay_before_next_try(const RetryRule& rule, const FailedTry& failed, double random);

/// Reads a Retry-After header: seconds, or a date (RFC 9110, 10.2.3). Nothing when it is neither.
std::optional<double> parse_retry_after(std::string_view text, Time now);

/// Reads the seconds until reset of a RateLimit header: `"api";r=0;t=55` (IETF draft, used by the Hub).
std::optional<double> parse_rate_limit_reset(std::string_view text);

}  // namespace willitrun
