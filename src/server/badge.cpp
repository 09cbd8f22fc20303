#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "domain/row_stack.h"
#include "lookup/model_page.h"
#include "server/routes.h"
#include "server/xml_text.h"

namespace willitrun {
namespace {

struct WordColour {
  std::string_view word;
  std::string_view colour;
};

constexpr auto kColours = std::to_array<WordColour>({{"PASS", "#1a7f37"},
                                                     {"FAIL", "#cf222e"},
                                                     {"FLAKY", "#bc4c00"},
                                                     {"TOO_LARGE", "#8250df"},
                                                     {"INDETERMINATE", "#9a6700"}});

std::string_view colour_of(std::string_view word) {
  const auto found = std::ranges::find(kColours, word, &WordColour::word);
  return found == kColours.end() ? "#59636e" : found->colour;
}

/// Width of a text in Verdana of 11 pixels, roughly: a badge gets its own font only where the viewer has it.
std::size_t width_of(std::string_view text) { return 12 + text.size() * 7; }

std::string badge(std::string_view label, std::string_view word) {
  const std::size_t left = width_of(label), right = width_of(word), width = left + right;
  const std::string name = xml_text(label), value = xml_text(word);
  return fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="20" role="img" aria-label="{3}: {4}">)"
      R"(<title>{3}: {4}</title><rect width="{1}" height="20" fill="#444c56"/><rect x="{1}" width="{2}" height="20" fill="{5}"/>)"
      R"(<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">)"
      R"(<text x="{6}" y="14">{3}</text><text x="{7}" y="14">{4}</text></g></svg>)"
      "\n",
      width, left, right, name, value, colour_of(word), left / 2, left + right / 2);
}

}  // namespace

Result<Response> answer_badge(const Call& call) {
  ASSIGN_OR_RETURN(const ModelNumber model, find_model(call.snapshot(), call.model_id()));
  ASSIGN_OR_RETURN(const StackFilter filter, call.stack_filter());
  ASSIGN_OR_RETURN(const ModelPage page, make_model_page(call.snapshot(), model, filter));
  // The page shows results of other targets when the asked one has none; a badge speaks for the asked one alone.
  std::string word = page.facts.verdict.value_or("");
  if (!page.cells.empty()) {
    const Row shown = row_of(call.snapshot(), page.cells[page.shown]);
    if (target_of(shown) == filter.target) word = shown.verdict.value_or(word);
  }
  Response response = text_response("image/svg+xml", badge(filter.target, word));
  response.set("Cache-Control", "max-age=300");
  return response;
}

}  // namespace willitrun
