#include "verify/report.h"

#include <cstdint>

#include "base/check.h"

// A torn last line changes nothing but that it is known to be torn.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto report = willitrun::parse_report(text);
  const auto whole_lines = willitrun::parse_report(text.substr(0, text.rfind('\n') + 1));
  CHECK(report.has_value() == whole_lines.has_value());
  if (!report) return 0;
  CHECK(!whole_lines->torn);
  CHECK(report->reached() == whole_lines->reached());
  CHECK(report->errors.size() == whole_lines->errors.size());
  return 0;
}
