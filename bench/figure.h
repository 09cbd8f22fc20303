#pragma once

#include <fmt/format.h>

#include <time.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace willitrun {

/// One measured figure, and what another program needs for the same in the same run.
struct Figure {
  std::string name;
  std::string unit;
  double ours = 0;
  double peer = 0;  ///< 0: there is none.
  std::string peer_name;
  double goal = 0;  ///< At most this; 0: none is set.
  std::string command;
};

/// Prints a figure as one line of JSON. `ratio` is how many times ours fits into the peer's.
inline void print(const Figure& figure) {
  const auto number = [](double value) { return value > 0 ? fmt::format("{:.6g}", value) : std::string("null"); };
  const auto text = [](std::string_view value) { return value.empty() ? "null" : fmt::format("\"{}\"", value); };
  const double ratio = figure.ours > 0 ? figure.peer / figure.ours : 0;
  fmt::print(
      "{{\"name\":\"{}\",\"unit\":\"{}\",\"ours\":{:.6g},\"peer\":{},\"peer_name\":{},\"ratio\":{},\"goal\":{},"
      "\"command\":\"{}\"}}\n",
      figure.name, figure.unit, figure.ours, number(figure.peer), text(figure.peer_name), number(ratio),
      number(figure.goal), figure.command);
}

/// Milliseconds of processor time that `work` takes on this thread. It waits for nothing, so on an idle machine this is
/// the time on the clock; on a shared one the clock would measure the others.
template <class Work>
double milliseconds(Work work) {
  const auto now = [] {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
  };
  const double begin = now();
  work();
  return now() - begin;
}

/// The value below which `share` of the measurements lie.
inline double percentile(std::vector<double> values, double share) {
  std::ranges::sort(values);
  return values[std::min(values.size() - 1, static_cast<std::size_t>(share * static_cast<double>(values.size())))];
}

}  // namespace willitrun
