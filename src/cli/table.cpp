#include "cli/table.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "base/check.h"
#include "os/home.h"

namespace willitrun {
namespace {

/// Code points of `text`, escape sequences of coloured() left out.
std::size_t width_of(std::string_view text) {
  std::size_t width = 0;
  bool in_escape = false;
  for (const char c : text) {
    if (c == '\033') in_escape = true;
    if (!in_escape && (static_cast<unsigned char>(c) & 0xC0) != 0x80) ++width;
    if (in_escape && c == 'm') in_escape = false;
  }
  return width;
}

}  // namespace

void Table::add(std::vector<std::string> cells) {
  CHECK(cells.size() == headings_.size());
  lines_.push_back(std::move(cells));
}

std::string Table::to_text() const {
  std::vector<std::vector<std::string>> lines(1);
  for (const Heading& heading : headings_) lines[0].push_back(heading.text);
  lines.insert(lines.end(), lines_.begin(), lines_.end());
  std::vector<std::size_t> widths(headings_.size(), 0);
  for (const auto& line : lines)
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], width_of(line[i]));
  std::string text;
  for (const auto& line : lines) {
    std::string written;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::string padding(widths[i] - width_of(line[i]), ' ');
      if (i > 0) written += "  ";
      written += headings_[i].to_the_right ? padding + line[i] : line[i] + padding;
    }
    written.erase(written.find_last_not_of(' ') + 1);
    text += written + '\n';
  }
  return text;
}

bool use_colour() {
  static const bool use = ::isatty(STDOUT_FILENO) == 1 && environment_variable("NO_COLOR").empty();
  return use;
}

std::string coloured(std::string_view text, Colour colour) {
  if (!use_colour()) return std::string(text);
  const int code = colour == Colour::Green    ? 32
                   : colour == Colour::Red    ? 31
                   : colour == Colour::Yellow ? 33
                   : colour == Colour::Grey   ? 90
                                              : 1;
  return fmt::format("\033[{}m{}\033[0m", code, text);
}

}  // namespace willitrun
