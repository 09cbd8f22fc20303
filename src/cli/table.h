#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace willitrun {

/// A table for people: columns as wide as their widest cell, two spaces between them, numbers to the right where asked.
/// Widths count Unicode code points.
class Table {
 public:
  struct Heading {
    std::string text;
    bool to_the_right = false;
  };

  explicit Table(std::vector<Heading> headings) : headings_(std::move(headings)) {}

  /// Adds a line; it has one cell per heading.
  void add(std::vector<std::string> cells);

  /// Writes the table, headings first, without spaces at the ends of lines.
  std::string to_text() const;

 private:
  std::vector<Heading> headings_;
  std::vector<std::vector<std::string>> lines_;
};

/// Colours that terminals know. Used only where use_colour() says so.
enum class Colour { Green, Red, Yellow, Grey, Bold };

/// Tells whether standard output is a terminal and NO_COLOR is not set.
bool use_colour();

/// Returns `text` in `colour` when use_colour(), else as it is.
std::string coloured(std::string_view text, Colour colour);

}  // namespace willitrun
