#include "script/template.h"

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "base/text.h"

namespace willitrun {
namespace {

/// An open `@if@`: whether its lines are kept, and whether `@else@` was seen.
struct Block {
  bool is_kept;
  bool is_else = false;
};

class Filler {
 public:
  explicit Filler(const TemplateValues& values) : values_(values) {}

  Status add_line(std::string_view line) {
    const std::string_view word = line.starts_with('@') && line.ends_with('@') ? line.substr(1) : std::string_view{};
    if (word.starts_with("if ")) return open_block(word.substr(3, word.size() - 4));
    if (word == "else@" || word == "end@") return turn_block(word == "end@");
    for (const Block& block : blocks_)
      if (!block.is_kept) return {};
    return add_text(line);
  }

  Result<std::string> finish() && {
    if (!blocks_.empty()) return fail(Code::Internal, "template: '@if' without '@end@'");
    return std::move(filled_);
  }

 private:
  Status open_block(std::string_view name) {
    const auto condition = values_.conditions.find(name);
    if (condition == values_.conditions.end())
      return fail(Code::Internal, fmt::format("template: no condition '{}'", name));
    blocks_.push_back({condition->second});
    return {};
  }

  Status turn_block(bool is_end) {
    if (blocks_.empty() || (!is_end && blocks_.back().is_else))
      return fail(Code::Internal, fmt::format("template: '{}' without '@if'", is_end ? "@end@" : "@else@"));
    if (is_end) {
      blocks_.pop_back();
    } else {
      blocks_.back() = {.is_kept = !blocks_.back().is_kept, .is_else = true};
    }
    return {};
  }

  Status add_text(std::string_view line) {
    while (const auto place = find_place(line)) {
      filled_ += line.substr(0, place->begin);
      const auto text = values_.texts.find(place->name);
      if (text == values_.texts.end()) return fail(Code::Internal, fmt::format("template: no text '{}'", place->name));
      filled_ += text->second;
      line.remove_prefix(place->begin + place->name.size() + 2);
    }
    filled_ += line;
    filled_ += '\n';
    return {};
  }

  struct Place {
    std::size_t begin;
    std::string_view name;
  };

  /// Finds the first `@name@`; a name is lower-case letters, digits and underscores.
  static std::optional<Place> find_place(std::string_view line) {
    constexpr std::string_view kNameCharacters = "abcdefghijklmnopqrstuvwxyz0123456789_";
    for (std::size_t begin = line.find('@'); begin != std::string_view::npos; begin = line.find('@', begin + 1)) {
      const std::size_t end = line.find_first_not_of(kNameCharacters, begin + 1);
      if (end != std::string_view::npos && line[end] == '@' && end > begin + 1)
        return Place{begin, line.substr(begin + 1, end - begin - 1)};
    }
    return std::nullopt;
  }

  const TemplateValues& values_;
  std::vector<Block> blocks_;
  std::string filled_;
};

}  // namespace

Result<std::string> fill_template(std::string_view text, const TemplateValues& values) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  Filler filler(values);
  for (const std::string_view line : split(text, '\n')) RETURN_IF_ERROR(filler.add_line(line));
  return std::move(filler).finish();
}

}  // namespace willitrun
