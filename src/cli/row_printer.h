#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "cli/command.h"
#include "lab/campaign.h"
#include "lab/progress.h"

namespace willitrun {

/// Shows on a terminal what an attempt is doing, in one line that is written over and over.
class LiveLine : public Progress {
 public:
  /// Does nothing unless standard error is a terminal and `enabled`.
  LiveLine(bool enabled, std::size_t num_models);

  void on_mark(std::string_view model, Mark mark) override;
  void on_download(std::uint64_t new_bytes) override;
  void on_message(std::string_view text) override;
  void on_wait() override;

  /// Takes the line away, before something else is printed.
  void clear();

  /// Counts a model as done.
  void count() { ++num_done_; }

 private:
  void draw();

  bool enabled_;
  std::size_t num_models_;
  std::size_t num_done_ = 0;
  std::string model_;
  std::string doing_;
  std::uint64_t downloaded_bytes_ = 0;
  double mark_started_s_ = 0;
  double drawn_s_ = 0;
  std::string shown_;  ///< What stands on the terminal.
};

/// Prints verdict rows for people: one line each, as they come, and a summary.
class RowPrinter {
 public:
  /// `name_width`: of the longest model name to come.
  explicit RowPrinter(std::size_t name_width) : name_width_(name_width) {}

  void print(const CampaignRow& row);
  void print_summary() const;

 private:
  std::size_t name_width_;
  std::map<std::string, int> counts_;
  int num_unchanged_ = 0;
};

/// Maps a verdict to the exit status that tells it: PASS is 0, no answer 3, everything else 1.
ExitStatus exit_status_of(const Row& verdict);

}  // namespace willitrun
