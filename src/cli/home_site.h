#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "cli/command.h"
#include "lookup/home_snapshot.h"
#include "server/site.h"
#include "store/journal.h"

namespace willitrun {

/// A home as what a site is made from: its content, rows that the snapshot leaves in the store, and the queue. Any
/// number of threads may use it; they take turns at the journal.
class HomeSite : public RowSource, public TestQueue {
 public:
  static Result<std::unique_ptr<HomeSite>> open(const Session& session);

  /// Returns the content when it is the first or has changed since the last call; null otherwise. Cheap enough to be
  /// asked every second. One thread at a time.
  Result<std::shared_ptr<const SiteContent>> changed_content();

  Result<std::vector<Row>> full_rows(const LookupSnapshot& snapshot, std::span<const ViewRow> rows) override;
  Result<std::vector<TestRequest>> requests() override;
  Result<AskedTest> ask(const TestWish& wish, std::string_view voter) override;

 private:
  HomeSite(Home home, Journal journal) : home_(std::move(home)), journal_(std::move(journal)) {}

  Home home_;
  std::mutex mutex_;  ///< Guards the journal.
  Journal journal_;
  std::string state_;       ///< What the content was made from; of changed_content() alone.
  std::string data_state_;  ///< The same of the Parquet files.
};

}  // namespace willitrun
