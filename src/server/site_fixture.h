#pragma once

#include <string>
#include <vector>

#include "lookup/sample_snapshot.h"
#include "server/handler.h"
#include "testing/temp_folder.h"

namespace willitrun {

/// Rows of a snapshot with a script, as if a store had kept it.
class FakeRows : public RowSource {
 public:
  Result<std::vector<Row>> full_rows(const LookupSnapshot& snapshot, std::span<const ViewRow> rows) override;

  std::optional<Error> error;             ///< Returned instead, when set.
  std::string script = "print('run')\n";  ///< Of every result; empty: none is kept.
};

/// A queue in memory.
class FakeQueue : public TestQueue {
 public:
  Result<std::vector<TestRequest>> requests() override { return list; }
  Result<AskedTest> ask(const TestWish& wish, std::string_view voter) override;

  std::vector<TestRequest> list;
  std::vector<std::string> voters;
};

/// A site over the sample home, with a page build of three files.
class SiteFixture {
 public:
  explicit SiteFixture(const SnapshotInput& input = sample_input());

  Response get(const std::string& target) const { return handle(Request{.target = target}, site); }

  TempFolder folder;
  FakeRows rows;
  FakeQueue queue;
  Site site;
};

/// The `code` of an error answer; empty when the body is none.
std::string error_code(const Response& response);

}  // namespace willitrun
