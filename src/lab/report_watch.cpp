#include "lab/report_watch.h"

#include <algorithm>

#include "os/file.h"
#include "verify/report.h"

namespace willitrun {

ReportWatch::News ReportWatch::look() {
  const std::uint64_t size = size_of_file(report_).value_or(0);
  if (size == seen_bytes_) return {.size_bytes = size};
  seen_bytes_ = size;
  News news{.grew = true, .size_bytes = size};
  constexpr std::uint64_t kMarksAreInTheFirstBytes = 1 << 20;  // What a hostile script writes after them tells nothing.
  const auto text = read_file_range(report_, 0, kMarksAreInTheFirstBytes);
  const auto report = text ? parse_report(*text) : fail(text.error());
  if (!report) return news;
  const auto reached = report->reached();
  for (const ReportStage& stage : report->stages) {
    if (!reached || stage.stage > *reached || std::ranges::find(known_, stage.stage) != known_.end()) continue;
    known_.push_back(stage.stage);
    news.entered.push_back(stage.stage);
  }
  std::ranges::sort(news.entered);
  return news;
}

}  // namespace willitrun
