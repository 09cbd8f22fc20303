#include "server/pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"
#include "domain/row_stack.h"
#include "lookup/model_page.h"
#include "server/call.h"
#include "server/handler.h"
#include "server/xml_text.h"

namespace willitrun {
namespace {

/// Only what comes from this site runs and is loaded. WebAssembly serves the SQL box of the data page.
constexpr std::string_view kPagePolicy =
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; font-src "
    "'self'; "
    "connect-src 'self'; worker-src 'self' blob:; manifest-src 'self'; base-uri 'self'; form-action 'none'; "
    "frame-ancestors 'none'";

constexpr std::string_view kNoPage =
    "<!doctype html><title>willitrun</title><p>The page was not built with this program: run <code>make build</code>, "
    "or "
    "name the folder of a build with <code>--page</code>. The API answers: <a href=\"api/v1/models\">models</a>, "
    "<a href=\"openapi.json\">description</a>.</p>\n";

constexpr auto kPlainPages = std::to_array<std::string_view>({"compare", "failures", "coverage", "queue", "data"});

/// What a page's head says.
struct PageHead {
  std::string title = "willitrun";
  std::string description = "Does this Hugging Face model run, unmodified, on AWS Trainium? Tested, with evidence.";
  bool is_known = true;  ///< False: the page will say that there is no such model, or page.
};

PageHead head_of_model(const std::vector<std::string>& segments, const LookupSnapshot& snapshot) {
  const std::string id = segments[1] == "-" ? segments[2] : segments[1] + "/" + segments[2];
  const auto model = find_model(snapshot, id);
  if (!model) return {.title = "No such model - willitrun", .is_known = false};
  const auto page = make_model_page(snapshot, *model, {});
  const Row row =
      page && !page->cells.empty() ? row_of(snapshot, page->cells[page->shown]) : snapshot.row_without_result(*model);
  const std::string word = row.verdict.value_or("UNTESTED"), name(snapshot.model_id(*model));
  PageHead head{.title = fmt::format("{}: {} - willitrun", name, word),
                .description = fmt::format("{} on AWS Trainium: {}", name, word)};
  if (page && !page->cells.empty())
    head.description = fmt::format("{} on {}, {}: {}{}", name, target_of(row), short_name(stack_of(row)), word,
                                   row.evidence ? fmt::format(" with evidence '{}'", *row.evidence) : "");
  return head;
}

/// The head of the page that an address names; nothing when it names none.
std::optional<PageHead> head_of(const std::vector<std::string>& segments, const LookupSnapshot& snapshot) {
  if (segments.empty()) return PageHead{};
  if (segments[0] == "model" && segments.size() == 3) return head_of_model(segments, snapshot);
  const bool is_plain = std::ranges::find(kPlainPages, segments[0]) != kPlainPages.end();
  if (is_plain && segments.size() == 1) return PageHead{.title = segments[0] + " - willitrun"};
  if (segments[0] == "failures" && segments.size() == 2) return PageHead{.title = segments[1] + " - willitrun"};
  return std::nullopt;
}

/// Puts `value` in place of the first `marker`; a build without the marker stays as it is.
void fill_in(std::string& html, std::string_view marker, const std::string& value) {
  if (const std::size_t at = html.find(marker); at != std::string::npos) html.replace(at, marker.size(), value);
}

std::string html_of(std::string_view build, const PageHead& head, std::size_t depth) {
  std::string html(build), root = depth == 0 ? "./" : "";
  for (std::size_t i = 0; i < depth; ++i) root += "../";
  fill_in(html, "<base href=\"./\">", fmt::format("<base href=\"{}\">", root));
  fill_in(html, "<title>willitrun</title>", fmt::format("<title>{}</title>", xml_text(head.title)));
  fill_in(html, "<meta name=\"description\" content=\"willitrun\">",
          fmt::format("<meta name=\"description\" content=\"{}\">", xml_text(head.description)));
  return html;
}

Response page_response(const PageHead& head, std::size_t depth, const Site& site) {
  const ServedFile* build = site.page ? site.page->find("index.html") : nullptr;
  Response response =
      text_response("text/html; charset=utf-8",
                    build == nullptr ? std::string(kNoPage) : html_of(build->content->bytes(), head, depth));
  response.status = build == nullptr ? 503 : head.is_known ? 200 : 404;
  response.set("Content-Security-Policy", std::string(kPagePolicy));
  response.set("Cross-Origin-Opener-Policy", "same-origin");
  response.route = "page";
  return response;
}

/// The page itself, which says that it has no such address.
Response no_such_page(const Address& address, const Site& site) {
  const std::size_t depth = address.segments.size() - (address.ends_in_slash || address.segments.empty() ? 0 : 1);
  return page_response({.title = "No such page - willitrun", .is_known = false}, depth, site);
}

Response nothing_here() {
  return error_response(404, "not_found", "there is nothing at this address; /openapi.json describes what there is");
}

Response redirect_to_slash(const Address& address) {
  // Relative to the last segment, so that it holds below any path.
  Response response = text_response("text/plain; charset=utf-8", "the address of this page ends in '/'\n");
  response.status = 301;
  response.set("Location", "./" + path_of(Address{{address.segments.back()}, true, {}}).substr(1));
  response.route = "page";
  return response;
}

/// Files whose names hold a digest of their content never change.
bool is_immutable(std::string_view path) { return path.starts_with("assets/"); }

Response file_response(const std::string& path, const ServedFile& file, bool accepts_gzip) {
  Response response;
  const bool as_gzip = accepts_gzip && file.gzip != nullptr;
  response.set("Content-Type", std::string(file.content_type));
  response.set("ETag", fmt::format("\"{}{}\"", file.sha256.substr(0, 24), as_gzip ? "-gz" : ""));
  response.set("Cache-Control", is_immutable(path) ? "public, max-age=31536000, immutable" : "no-cache");
  if (file.gzip != nullptr) response.set("Vary", "Accept-Encoding");
  if (as_gzip) response.set("Content-Encoding", "gzip");
  // A worker is a document of its own and needs the page's policy.
  if (file.content_type.starts_with("text/javascript"))
    response.set("Content-Security-Policy", std::string(kPagePolicy));
  const auto& content = as_gzip ? file.gzip : file.content;
  response.body = Body(content, content->bytes());
  response.route = "file";
  return response;
}

}  // namespace

Response page_or_file(const Address& address, const Request& request, const Site& site) {
  if (const auto head = head_of(address.segments, *site.content.snapshot))
    return address.ends_in_slash ? page_response(*head, address.segments.size(), site) : redirect_to_slash(address);
  const std::string path = join(address.segments, "/");
  const ServedFile* file = site.page && !address.ends_in_slash ? site.page->find(path) : nullptr;
  if (file != nullptr && path != "index.html") return file_response(path, *file, request.accepts_gzip);
  const bool is_for_programs = !address.segments.empty() && address.segments[0] == "api";
  Response response = request.accepts_html && !is_for_programs ? no_such_page(address, site) : nothing_here();
  response.set("Vary", "Accept");
  return response;
}

}  // namespace willitrun
