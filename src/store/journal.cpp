#include "store/journal.h"

#include "store/journal_state.h"
#include "store/migrations.h"

namespace willitrun {

Journal::Journal(std::unique_ptr<State> state) : state_(std::move(state)) {}
Journal::Journal(Journal&&) noexcept = default;
Journal& Journal::operator=(Journal&&) noexcept = default;
Journal::~Journal() = default;

Result<Journal> Journal::open(const std::filesystem::path& file, const Clock& clock) {
  ASSIGN_OR_RETURN(Database database, Database::open(file));
  RETURN_IF_ERROR(migrate(database, clock.now()));
  ASSIGN_OR_RETURN(ProcessIdentity owner, this_process());
  return Journal(std::make_unique<State>(State{std::move(database), &clock, std::move(owner)}));
}

Result<std::string> Journal::content_token() {
  ASSIGN_OR_RETURN(Statement statement, state_->database.prepare("SELECT token FROM content"));
  ASSIGN_OR_RETURN(const bool has_row, statement.step());
  if (!has_row) return fail(Code::Corruption, "the journal has lost the token of its content");
  return statement.text(0);
}

}  // namespace willitrun
