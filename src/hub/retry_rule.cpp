#include "hub/retry_rule.h"

#include <time.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "base/text.h"

namespace willitrun {

bool is_passing_trouble(int status) {
  constexpr auto kPassing = std::to_array<int>({0, 408, 429, 500, 502, 503, 504});
  return std::ranges::find(kPassing, status) != kPassing.end();
}

std::optional<double> delay_before_next_try(const RetryRule& rule, const FailedTry& failed, double random) {
  if (!is_passing_trouble(failed.status) || failed.number >= rule.max_attempts) return std::nullopt;
  if (failed.retry_after_s) {
    if (*failed.retry_after_s > rule.max_delay_s) return std::nullopt;
    return *failed.retry_after_s + random * rule.first_delay_s;
  }
  const double base = std::min(std::ldexp(rule.first_delay_s, failed.number - 1), rule.max_delay_s / 2);
  return base * (1 + random);
}

std::optional<double> parse_retry_after(std::string_view text, Time now) {
  if (const auto seconds = parse_uint(trim(text))) return static_cast<double>(*seconds);
  tm parts = {};
  const std::string date(trim(text));
  const char* end = ::strptime(date.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &parts);
  if (end == nullptr || *end != '\0') return std::nullopt;
  const auto then = std::chrono::sys_seconds(std::chrono::seconds(::timegm(&parts)));
  return std::max(0.0, std::chrono::duration<double>(then - now).count());
}

std::optional<double> parse_rate_limit_reset(std::string_view text) {
  for (const std::string_view part : split(text, ';')) {
    const std::string_view field = trim(part);
    if (!field.starts_with("t=")) continue;
    if (const auto seconds = parse_uint(field.substr(2))) return static_cast<double>(*seconds);
  }
  return std::nullopt;
}

}  // namespace willitrun
