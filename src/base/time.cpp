#include "base/time.h"

#include <fmt/format.h>

#include <cstdio>

#include "base/text.h"

namespace willitrun {
namespace {

using namespace std::chrono;

std::optional<int> digits(std::string_view text, std::size_t begin, std::size_t count) {
  if (begin + count > text.size()) return std::nullopt;
  const auto value = parse_uint(text.substr(begin, count));
  if (!value) return std::nullopt;
  return static_cast<int>(*value);
}

std::optional<milliseconds> parse_clock(std::string_view text) {
  const auto hour = digits(text, 0, 2), minute = digits(text, 3, 2), second = digits(text, 6, 2);
  if (!hour || !minute || !second || text[2] != ':' || text[5] != ':') return std::nullopt;
  if (*hour > 23 || *minute > 59 || *second > 59) return std::nullopt;
  const auto whole = hours(*hour) + minutes(*minute) + seconds(*second);
  if (text.substr(8) == "Z") return whole;
  const auto fraction = digits(text, 9, 3);
  if (text.size() != 13 || text[8] != '.' || text[12] != 'Z' || !fraction) return std::nullopt;
  return whole + milliseconds(*fraction);
}

}  // namespace

std::string to_text(Time time) {
  const auto day = floor<days>(time);
  const year_month_day date(day);
  const hh_mm_ss clock(time - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), clock.hours().count(),
                     clock.minutes().count(), clock.seconds().count(), clock.subseconds().count());
}

std::optional<Time> parse_time(std::string_view text) {
  const auto y = digits(text, 0, 4), m = digits(text, 5, 2), d = digits(text, 8, 2);
  if (!y || !m || !d || text[4] != '-' || text[7] != '-') return std::nullopt;
  const year_month_day date{year(*y), month(static_cast<unsigned>(*m)), day(static_cast<unsigned>(*d))};
  if (!date.ok()) return std::nullopt;
  const Time midnight = sys_days(date);
  if (text.size() == 10) return midnight;
  if (text[10] != 'T') return std::nullopt;
  const auto clock = parse_clock(text.substr(11));
  if (!clock) return std::nullopt;
  return midnight + *clock;
}

}  // namespace willitrun
