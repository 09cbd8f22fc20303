#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "domain/test_request.h"
#include "lookup/snapshot.h"
#include "lookup/view.h"
#include "server/served_files.h"

namespace willitrun {

/// Where rows come from that a snapshot leaves in the store. Any number of threads may ask.
class RowSource {
 public:
  virtual ~RowSource() = default;

  /// Returns the rows with every column, scripts included.
  virtual Result<std::vector<Row>> full_rows(const LookupSnapshot& snapshot, std::span<const ViewRow> rows) = 0;
};

/// The queue of test requests. Any number of threads may use it.
class TestQueue {
 public:
  virtual ~TestQueue() = default;

  /// Those that wait or run, next first, then those that were done last.
  virtual Result<std::vector<TestRequest>> requests() = 0;

  /// Adds a request, or a vote of `voter` for the one that waits already.
  virtual Result<AskedTest> ask(const TestWish& wish, std::string_view voter) = 0;
};

/// What results are shown from: swapped as a whole when the home changes.
struct SiteContent {
  std::shared_ptr<const LookupSnapshot> snapshot;
  std::shared_ptr<const ServedFiles> data;  ///< The dataset's Parquet files.
};

/// A comparison that a static site holds.
struct WrittenComparison {
  std::string target;
  std::string before, after;  ///< Keys of the stacks.
  std::string file;           ///< From the site's root.
};

/// What is told of a site of files only.
struct WrittenSite {
  std::vector<WrittenComparison> comparisons;
};

/// Everything that an answer is made from. A value per request: what it points to outlives the request.
struct Site {
  SiteContent content;
  std::shared_ptr<const ServedFiles> page;  ///< The page build; without `index.html` there is no page.
  RowSource* rows = nullptr;
  TestQueue* queue = nullptr;            ///< Null: there is no queue.
  std::string token;                     ///< Who has it may write; empty: only callers on this machine may.
  std::vector<std::string> targets;      ///< Those that a test can be asked for.
  std::string version;                   ///< Of the program.
  std::optional<WrittenSite> written;    ///< Set: the answers are written as files.
  std::function<std::string()> figures;  ///< The answer of /metrics; empty: there are none.
};

}  // namespace willitrun
