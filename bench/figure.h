#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
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

/// Milliseconds that `work` takes.
template <class Work>
double milliseconds(Work work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

/// The value below which `share` of the measurements lie.
inline double percentile(std::vector<double> values, double share) {
  std::ranges::sort(values);
  return values[std::min(values.size() - 1, static_cast<std::size_t>(share * static_cast<double>(values.size())))];
}

}  // namespace willitrun
