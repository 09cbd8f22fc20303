#include "server/metrics.h"

#include <fmt/format.h>

namespace willitrun {
namespace {

constexpr std::array<double, 8> kLimits_s = {0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1};

std::string figure(std::string_view name, std::string_view type, std::string_view help, auto value) {
  return fmt::format("# HELP willitrun_{0} {2}\n# TYPE willitrun_{0} {1}\nwillitrun_{0} {3}\n", name, type, help,
                     value);
}

}  // namespace

void Metrics::count(std::string_view route, int status, double seconds) {
  const std::string name(route.empty() ? "none" : route);
  const std::lock_guard lock(mutex_);
  ++answers_[{name, status}];
  Timings& timings = timings_[name];
  ++timings.count;
  timings.sum_s += seconds;
  for (std::size_t i = 0; i < kLimits_s.size(); ++i) timings.buckets[i] += seconds <= kLimits_s[i];
}

std::string Metrics::text(const SiteContent& content) const {
  std::string text = figure("connections", "gauge", "Open connections.", open_.load());
  text += figure("connections_refused_total", "counter", "Connections beyond the limit.", refused_.load());
  text += figure("models", "gauge", "Models that the home knows.", content.snapshot->num_models());
  text += figure("results", "gauge", "Results that the home has.", content.snapshot->num_cells());
  const std::lock_guard lock(mutex_);
  text += "# HELP willitrun_answers_total Answers by route and status.\n# TYPE willitrun_answers_total counter\n";
  for (const auto& [key, count] : answers_)
    text += fmt::format("willitrun_answers_total{{route=\"{}\",status=\"{}\"}} {}\n", key.first, key.second, count);
  text += "# HELP willitrun_answer_seconds Time to make an answer.\n# TYPE willitrun_answer_seconds histogram\n";
  for (const auto& [route, timings] : timings_) {
    for (std::size_t i = 0; i < kLimits_s.size(); ++i)
      text += fmt::format("willitrun_answer_seconds_bucket{{route=\"{}\",le=\"{}\"}} {}\n", route, kLimits_s[i],
                          timings.buckets[i]);
    text += fmt::format(
        "willitrun_answer_seconds_bucket{{route=\"{0}\",le=\"+Inf\"}} {1}\n"
        "willitrun_answer_seconds_sum{{route=\"{0}\"}} {2}\n"
        "willitrun_answer_seconds_count{{route=\"{0}\"}} {1}\n",
        route, timings.count, timings.sum_s);
  }
  return text;
}

}  // namespace willitrun
