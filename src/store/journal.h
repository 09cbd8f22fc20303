#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "domain/failure.h"
#include "domain/ranking.h"
#include "domain/row.h"
#include "domain/test_request.h"
#include "os/clock.h"

namespace willitrun {

/// Decides what attempts say about (model, stack, target): gets the finished attempts, oldest first, and returns the
/// verdict row.
///
/// The rule belongs to `verify` and is handed in by whoever writes. It runs inside the transaction that stores the
/// newest attempt, so that two programs which finish attempts of the same model at the same time never lose one of
/// them.
using VerdictRule = std::function<Row(const std::vector<Row>& attempts)>;

/// Chooses rows of the journal.
struct RowFilter {
  std::optional<std::vector<std::string>> model_ids;  ///< Absent: every model. An empty list chooses nothing.
  std::string target;                                 ///< Empty: every target.
  bool with_scripts = false;                          ///< Fill run_py, by far the largest column.
  bool with_imported = true;                          ///< Also rows of other people's files.
};

/// A mark and when it was recorded.
struct RecordedMark {
  Mark mark = Mark::Resolve;
  Time entered_at;
};

/// Rows that came from a Parquet file of somebody else.
struct ImportedFile {
  std::string source;      ///< Where the file came from, e.g. `aws-neuron/torch-neuronx-model-support`.
  std::string revision;    ///< Commit of the source; empty for local files.
  std::string path;        ///< Path inside the source.
  std::string content_id;  ///< Changes when the bytes change: a digest, or what the source names them by.
  std::vector<Row> verdicts;
  std::vector<Row> attempts;
};

/// Everything that was tried and seen, in one SQLite file: attempts with their marks, verdicts, imported rows,
/// rankings. Format: docs/formats/journal.md.
///
/// What a function reports as done survives kill -9 and a power cut. Several programs may use one journal at the same
/// time; one Journal object belongs to one thread at a time. A finished attempt is never changed or deleted.
/// ResourceExhausted: the disk is full. Unavailable: another program holds the journal for too long. Corruption: the
/// file is damaged. InvalidArgument: it was written by a newer program.
class Journal {
 public:
  /// Opens the journal, making or migrating the file as needed. `clock` must outlive the journal.
  static Result<Journal> open(const std::filesystem::path& file, const Clock& clock = system_clock());

  Journal(Journal&&) noexcept;
  Journal& operator=(Journal&&) noexcept;
  ~Journal();

  /// Records that this process starts an attempt and returns its id. `known` holds what is known before: at least
  /// model_id and target, as a rule also revision, stack, plan and inputs_digest. Its attempt_id and tested_at are set
  /// here.
  Result<std::string> begin_attempt(Row known);

  /// Records that the attempt is about to enter `mark`. A mark that is already there keeps its first moment.
  Status add_mark(std::string_view attempt_id, Mark mark);

  /// Ends an attempt with its row and returns the verdict row that `rule` makes of all finished attempts of the same
  /// (model, stack, target), this one included. The row's model, stack and target are the final ones: a stack that is
  /// known only after the run may differ from the one at the start. AlreadyExists: the attempt is finished.
  Result<Row> finish_attempt(std::string_view attempt_id, Row row, const VerdictRule& rule);

  /// Ends every attempt whose process is gone: INDETERMINATE, class worker_lost, charged to infra, `reached` its last
  /// mark. Returns their rows. Call it before starting work.
  Result<std::vector<Row>> close_abandoned(const VerdictRule& rule);

  /// Stores a verdict that stands on no attempt (EXCLUDED, TOO_LARGE by plan), in place of an older one of the same
  /// (model, stack, target).
  Status record_verdict(const Row& verdict);

  /// Returns the newest finished attempt with that inputs digest: unchanged inputs need not run again.
  Result<std::optional<Row>> last_attempt_with_inputs(std::string_view inputs_digest);

  /// Returns the finished attempts: imported ones first, ours oldest first. An imported attempt that is ours is left
  /// out.
  Result<std::vector<Row>> attempt_rows(const RowFilter& filter = {});

  /// Returns what attempts that are not finished had at their start, oldest first.
  Result<std::vector<Row>> running_attempts();

  /// Returns one attempt's marks in the order in which they were recorded.
  Result<std::vector<RecordedMark>> marks_of(std::string_view attempt_id);

  /// Returns the verdict rows, ours before imported ones; an imported row of the same (model, stack, target) as one of
  /// ours, or as a newer imported one, is left out. Sorted by model, target and stack.
  Result<std::vector<Row>> verdict_rows(const RowFilter& filter = {});

  /// Names what verdict_rows() and ranked_models() return now: the text changes with every change of theirs, made by
  /// whatever program, and is never the same again. Cheap enough to be asked every second.
  Result<std::string> content_token();

  /// Stores the rows of a file in place of those that an earlier import of the same source and path brought.
  Status import_file(const ImportedFile& file);

  /// Forgets rows of files that the source no longer has. Returns how many files that were.
  Result<int> forget_imports(std::string_view source, const std::vector<std::string>& paths_to_keep);

  /// Returns path and content id of the files that were imported from a source.
  Result<std::vector<std::pair<std::string, std::string>>> imported_files(std::string_view source);

  /// Stores a list of models. Lists are kept with their dates; the same source and date replace each other.
  Status import_listing(const Listing& listing);

  /// Returns the models of the newest list of each task (all tasks when `task` is empty), by downloads rank, then id.
  /// Models of a local mirror come from the newest local list and are always included.
  Result<std::vector<RankedModel>> ranked_models(std::string_view task = {});

  /// Returns when the newest list of the task was taken; nothing when there is none.
  Result<std::optional<Time>> ranking_date(std::string_view task);

  /// Returns the queue of test requests: those that run, those that wait in the order in which they are to be taken
  /// (most votes, then oldest), then the newest that are done.
  Result<std::vector<TestRequest>> test_requests();

  /// Puts a wish into the queue, or a vote for the equal one that waits. A voter has one vote per request.
  Result<AskedTest> ask_for_test(const TestWish& wish, std::string_view voter);

  /// Marks the request for that wish as done, if there is one.
  Status close_test_request(const TestWish& wish);

 private:
  struct State;
  explicit Journal(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace willitrun
