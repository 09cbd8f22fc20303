// Requests of any shape to handle(): an answer always comes, never an error of ours, and no header can be split.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "lookup/snapshot_builder.h"
#include "server/handler.h"

namespace willitrun {
namespace {

class SnapshotRows : public RowSource {
 public:
  Result<std::vector<Row>> full_rows(const LookupSnapshot& snapshot, std::span<const ViewRow> rows) override {
    std::vector<Row> full;
    for (const ViewRow& row : rows) full.push_back(row_of(snapshot, row));
    return full;
  }
};

class DeafQueue : public TestQueue {
 public:
  Result<std::vector<TestRequest>> requests() override { return std::vector<TestRequest>(); }
  Result<AskedTest> ask(const TestWish& wish, std::string_view) override {
    return AskedTest{.request = {.id = 1, .wish = wish, .votes = 1, .position = 1}, .is_new = true};
  }
};

Row row_about(std::string model, std::string verdict, std::string neuronx_cc) {
  Row row;
  row.model_id = std::move(model);
  row.verdict = std::move(verdict);
  row.neuronx_cc = std::move(neuronx_cc);
  row.library_version = row.transformers = "5.24.0";
  row.failure_class = row.verdict == "FAIL" ? std::optional<std::string>("compiler_internal") : std::nullopt;
  row.signature = row.failure_class;
  return row;
}

Site make_site() {
  static SnapshotRows rows;
  static DeafQueue queue;
  const SnapshotInput input{.models = {},
                            .rows = {row_about("a/b", "PASS", "2.27"), row_about("a/b", "FAIL", "2.28"),
                                     row_about("gpt2", "PASS", "2.28"), row_about("<i>/\"'&", "FAIL", "2.28")},
                            .selected = {"a/b"},
                            .excluded = {}};
  auto snapshot = make_snapshot(input);
  CHECK(snapshot);
  Site site{.content = {*snapshot, std::make_shared<const ServedFiles>()}, .rows = &rows, .queue = &queue};
  site.targets = {"trn2"};
  return site;
}

std::string_view take_line(std::string_view& rest) {
  const std::string_view line = rest.substr(0, rest.find('\n'));
  rest.remove_prefix(std::min(rest.size(), line.size() + 1));
  return line;
}

/// Method letter and target, one header a line in a fixed order, then the body.
Request request_of(std::string_view bytes) {
  Request request;
  std::string_view first = take_line(bytes);
  const char method = first.empty() ? 'G' : first.front();
  request.method = method == 'P'   ? Method::Post
                   : method == 'O' ? Method::Options
                   : method == 'X' ? Method::Other
                                   : Method::Get;
  if (!first.empty()) first.remove_prefix(1);
  request.target = first;
  for (std::string* header :
       {&request.if_none_match, &request.authorization, &request.content_type, &request.origin, &request.host})
    *header = take_line(bytes);
  request.from_here = true;
  request.body = bytes;
  return request;
}

}  // namespace
}  // namespace willitrun

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace willitrun;
  static const Site site = make_site();
  const Response response = handle(request_of({reinterpret_cast<const char*>(data), size}), site);
  CHECK(response.status >= 200 && response.status < 504 && response.status != 500);
  for (const auto& [name, value] : response.headers) CHECK(value.find_first_of("\r\n") == std::string::npos);
  return 0;
}
