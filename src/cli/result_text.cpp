#include "cli/result_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"
#include "cli/table.h"

namespace willitrun {
namespace {

constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;

Colour colour_of(std::string_view verdict) {
  if (verdict == "PASS") return Colour::Green;
  if (verdict == "FAIL" || verdict == "TOO_LARGE") return Colour::Red;
  if (verdict == "FLAKY" || verdict == "INDETERMINATE") return Colour::Yellow;
  return Colour::Grey;
}

/// What follows the verdict.
std::string grounds_of(const Row& row) {
  const std::string verdict = row.verdict.value_or("");
  if (verdict == "PASS") return row.evidence.value_or(row.cpu_match.value_or(""));
  if (verdict == "EXCLUDED") return row.exclusion.value_or("");
  if (row.stage && row.failure_class) return fmt::format("{}: {}", *row.stage, *row.failure_class);
  return row.failure_class.value_or(row.stage.value_or(""));
}

}  // namespace

std::string printable(std::string_view text) {
  std::string valid = to_valid_utf8(text);
  std::ranges::replace_if(valid, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }, ' ');
  return valid;
}

std::string result_text(const Row& row) {
  return printable(trim(fmt::format("{} {}", row.verdict.value_or(row.result.value_or("")), grounds_of(row))));
}

std::string coloured_result(const Row& row) { return coloured(result_text(row), colour_of(row.verdict.value_or(""))); }

std::string wall_text(const Row& row) { return row.wall_s ? human_seconds(*row.wall_s) : ""; }

std::string peak_text(const Row& row) {
  double peak = 0;
  double capacity = 0;
  if (row.peak_bytes_per_core) {
    peak = static_cast<double>(*row.peak_bytes_per_core) / kGiB;
    capacity = static_cast<double>(row.capacity_bytes_per_core.value_or(0)) / kGiB;
  } else if (row.hbm_peak_gb) {
    peak = *row.hbm_peak_gb * 1e9 / kGiB;
    capacity = row.hbm_capacity_gb.value_or(0) * 1e9 / kGiB;
  } else {
    return "";
  }
  return capacity > 0 ? fmt::format("{:.2f} of {:.1f} GiB", peak, capacity) : fmt::format("{:.2f} GiB", peak);
}

std::string day_text(const Row& row) { return row.tested_at ? to_text(*row.tested_at).substr(0, 10) : ""; }

std::string count_text(std::int64_t count) {
  constexpr std::pair<double, char> kUnits[] = {{1e9, 'G'}, {1e6, 'M'}, {1e3, 'k'}};
  for (const auto& [size, unit] : kUnits)
    if (static_cast<double>(count) >= size) return fmt::format("{:.1f}{}", static_cast<double>(count) / size, unit);
  return fmt::format("{}", count);
}

}  // namespace willitrun
