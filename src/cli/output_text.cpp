#include "cli/output_text.h"

#include <fmt/format.h>

#include "cli/result_text.h"
#include "lookup/model_page.h"

namespace willitrun {
namespace {

std::size_t num_characters(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xC0) != 0x80 ? 1 : 0;
  return count;
}

/// Two labelled lines and, under the place where they part, a mark.
std::string side_by_side(std::string_view ours, std::string_view reference) {
  std::string text = fmt::format("  text       {}\n  reference  {}\n", ours, reference);
  if (ours == reference) return text + "  the same\n";
  const std::size_t same = common_prefix(ours, reference);
  return text +
         fmt::format("             {}^ first difference\n", std::string(num_characters(ours.substr(0, same)), ' '));
}

std::string token_line(const std::vector<std::int32_t>& tokens, std::optional<std::int32_t> marked) {
  std::string line;
  for (std::size_t i = 0; i < tokens.size(); ++i)
    line += marked == static_cast<std::int32_t>(i) ? fmt::format(" [{}]", tokens[i]) : fmt::format(" {}", tokens[i]);
  return line.empty() ? line : line.substr(1);
}

}  // namespace

std::string output_text(const Row& row) {
  std::string text;
  if (row.text && row.reference_text)
    text += side_by_side(printable(*row.text), printable(*row.reference_text));
  else if (row.text)
    text += fmt::format("  text       {}\n", printable(*row.text));
  const bool tokens_differ = row.tokens && row.reference_tokens && *row.tokens != *row.reference_tokens;
  if (!tokens_differ) return text;
  text += fmt::format("  tokens     {}\n  reference  {}\n", token_line(*row.tokens, row.first_mismatch),
                      token_line(*row.reference_tokens, row.first_mismatch));
  if (row.first_mismatch && row.margin)
    text += fmt::format("  they part at token {}, where the reference's two best tokens were {:.4g} apart\n",
                        *row.first_mismatch, *row.margin);
  return text;
}

}  // namespace willitrun
