#include "cli/home_site.h"

#include <fmt/format.h>

#include "cli/selection_files.h"
#include "os/clock.h"

namespace willitrun {
namespace {

namespace fs = std::filesystem;

/// Names the files of a folder as they are: a file that is replaced has another moment or size.
std::string listing_of(const fs::path& folder) {
  std::string listing;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (entry->is_regular_file(error))
      listing += fmt::format("{} {} {}\n", entry->path().string(), entry->file_size(error),
                             entry->last_write_time(error).time_since_epoch().count());
  return listing;
}

}  // namespace

Result<std::unique_ptr<HomeSite>> HomeSite::open(const Session& session) {
  ASSIGN_OR_RETURN(Home home, session.home());
  ASSIGN_OR_RETURN(Journal journal, Journal::open(home.journal()));
  return std::unique_ptr<HomeSite>(new HomeSite(std::move(home), std::move(journal)));
}

Result<std::shared_ptr<const SiteContent>> HomeSite::changed_content() {
  ASSIGN_OR_RETURN(SelectionFiles files, load_selection_files());
  const SelectionInput selection{std::move(files.rule), std::move(files.exclusions), system_clock().now()};
  const std::lock_guard lock(mutex_);
  ASSIGN_OR_RETURN(std::string state, state_of_home(journal_, selection));
  std::string data_state = listing_of(home_.dataset());
  if (state == state_ && data_state == data_state_) return nullptr;
  auto content = std::make_shared<SiteContent>();
  ASSIGN_OR_RETURN(content->snapshot, load_snapshot(home_.snapshot(), journal_, selection));
  ASSIGN_OR_RETURN(content->data, ServedFiles::read(home_.dataset()));
  state_ = std::move(state);
  data_state_ = std::move(data_state);
  return content;
}

Result<std::vector<Row>> HomeSite::full_rows(const LookupSnapshot& snapshot, std::span<const ViewRow> rows) {
  const std::lock_guard lock(mutex_);
  return willitrun::full_rows(journal_, snapshot, rows, true);
}

Result<std::vector<TestRequest>> HomeSite::requests() {
  const std::lock_guard lock(mutex_);
  return journal_.test_requests();
}

Result<AskedTest> HomeSite::ask(const TestWish& wish, std::string_view voter) {
  const std::lock_guard lock(mutex_);
  return journal_.ask_for_test(wish, voter);
}

}  // namespace willitrun
