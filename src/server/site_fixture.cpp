#include "server/site_fixture.h"

#include <boost/json.hpp>

#include "os/rebuildable_file.h"

namespace willitrun {

Result<std::vector<Row>> FakeRows::full_rows(const LookupSnapshot& snapshot, std::span<const ViewRow> cells) {
  if (error) return fail(*error);
  std::vector<Row> full;
  for (const ViewRow& cell : cells) {
    full.push_back(row_of(snapshot, cell));
    if (cell.cell && !script.empty()) full.back().run_py = script;
  }
  return full;
}

Result<AskedTest> FakeQueue::ask(const TestWish& wish, std::string_view voter) {
  voters.emplace_back(voter);
  for (TestRequest& request : list)
    if (request.wish == wish) {
      ++request.votes;
      return AskedTest{request, false};
    }
  list.push_back({.id = static_cast<std::int64_t>(list.size()) + 1, .wish = wish, .votes = 1, .position = 1});
  return AskedTest{list.back(), true};
}

SiteFixture::SiteFixture(const SnapshotInput& input) {
  const auto page = folder.path() / "page";
  const std::string html =
      "<!doctype html><base href=\"./\"><title>willitrun</title><meta name=\"description\" content=\"willitrun\">";
  (void)write_rebuildable_file(page / "index.html", html);
  (void)write_rebuildable_file(page / "assets" / "main-1a2b.js", "let x = 1;");
  (void)write_rebuildable_file(page / "assets" / "main-1a2b.js.gz", "compressed");
  site.content.snapshot = snapshot_of(input);
  site.content.data = std::make_shared<const ServedFiles>();
  site.page = ServedFiles::read(page).value();
  site.rows = &rows;
  site.queue = &queue;
  site.targets = {"cpu", "trn2"};
  site.version = "1.2.3";
}

std::string error_code(const Response& response) {
  boost::system::error_code error;
  const auto document = boost::json::parse(response.body.bytes(), error);
  if (error || !document.is_object() || !document.get_object().contains("error")) return "";
  return std::string(document.at("error").at("code").as_string());
}

}  // namespace willitrun
