#pragma once

#include <fmt/format.h>

#include <time.h>

#include <algorithm>
#include <fstream>
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

/// Collects figures, prints each as one line of JSON, and writes all of them as a list when it goes. `ratio` is how
/// many times ours fits into the peer's.
class Figures {
 public:
  /// Takes `--json FILE` out of the program's arguments; the others stay, in their order.
  Figures(int& argc, char** argv) {
    int kept = 0;
    for (int i = 0; i < argc; ++i) {
      if (std::string_view(argv[i]) == "--json" && i + 1 < argc)
        file_ = argv[++i];
      else
        argv[kept++] = argv[i];
    }
    argc = kept;
  }
  Figures(const Figures&) = delete;
  Figures& operator=(const Figures&) = delete;

  ~Figures() {
    if (file_.empty()) return;
    std::ofstream out(file_);
    out << "[\n";
    for (std::size_t i = 0; i < lines_.size(); ++i) out << lines_[i] << (i + 1 < lines_.size() ? ",\n" : "\n");
    out << "]\n";
  }

  void add(const Figure& figure) {
    const auto number = [](double value) { return value > 0 ? fmt::format("{:.6g}", value) : std::string("null"); };
    const auto text = [](std::string_view value) { return value.empty() ? "null" : fmt::format("\"{}\"", value); };
    const double ratio = figure.ours > 0 ? figure.peer / figure.ours : 0;
    lines_.push_back(fmt::format(
        R"({{"name":"{}","unit":"{}","ours":{:.6g},"peer":{},"peer_name":{},"ratio":{},"goal":{},"command":"{}"}})",
        figure.name, figure.unit, figure.ours, number(figure.peer), text(figure.peer_name), number(ratio),
        number(figure.goal), figure.command));
    fmt::print("{}\n", lines_.back());
  }

 private:
  std::string file_;
  std::vector<std::string> lines_;
};

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
