#include "cli/row_printer.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

#include "base/text.h"
#include "cli/table.h"
#include "domain/verdict.h"
#include "os/clock.h"

namespace willitrun {
namespace {

constexpr double kSecondsBetweenDrawings = 0.2;

Colour colour_of(std::string_view verdict) {
  if (verdict == "PASS") return Colour::Green;
  if (verdict == "FAIL" || verdict == "FLAKY") return Colour::Red;
  return verdict == "INDETERMINATE" ? Colour::Yellow : Colour::Grey;
}

/// What lies behind the verdict, in a few words.
std::string grounds_of(const Row& row) {
  if (row.verdict == "PASS") return row.evidence.value_or("");
  if (row.verdict == "EXCLUDED") return row.exclusion.value_or("");
  if (row.failure_class) return fmt::format("{}/{}", row.stage.value_or("?"), *row.failure_class);
  return row.notes.value_or("");
}

std::string placement_of(const Row& row) {
  if (!row.cores) return "";
  return fmt::format("{} core{}, {}", *row.cores, *row.cores == 1 ? "" : "s", row.mode.value_or(""));
}

std::size_t terminal_width() {
  winsize size = {};
  const bool is_known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return is_known ? size.ws_col : 80;
}

std::string_view first_line(std::string_view text) { return text.substr(0, text.find('\n')); }

}  // namespace

LiveLine::LiveLine(bool enabled, std::size_t num_models)
    : enabled_(enabled && ::isatty(STDERR_FILENO) == 1), num_models_(num_models) {}

void LiveLine::on_mark(std::string_view model, Mark mark) {
  model_ = model;
  doing_ = to_text(mark);
  downloaded_bytes_ = 0;
  mark_started_s_ = system_clock().monotonic_s();
  draw();
}

void LiveLine::on_download(std::uint64_t new_bytes) {
  downloaded_bytes_ += new_bytes;
  on_wait();
}

void LiveLine::on_message(std::string_view text) {
  clear();
  fmt::print(stderr, "{}\n", text);
}

void LiveLine::on_wait() {
  if (system_clock().monotonic_s() - drawn_s_ > kSecondsBetweenDrawings) draw();
}

void LiveLine::draw() {
  if (!enabled_) return;
  drawn_s_ = system_clock().monotonic_s();
  const std::string bytes = downloaded_bytes_ == 0 ? "" : ", " + human_bytes(downloaded_bytes_);
  std::string line = fmt::format("[{}/{}] {}: {} {:.0f} s{}", num_done_ + 1, num_models_, model_, doing_,
                                 drawn_s_ - mark_started_s_, bytes);
  line.resize(std::min(line.size(), terminal_width() - 1));  // A line that wraps could not be written over.
  if (line == shown_) return;
  fmt::print(stderr, "\r\033[K{}", line);
  std::fflush(stderr);
  shown_ = std::move(line);
}

void LiveLine::clear() {
  if (!enabled_) return;
  shown_.clear();
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
}

void RowPrinter::print(const CampaignRow& row) {
  const Row& verdict = row.verdict;
  const std::string word = verdict.verdict.value_or("");
  ++counts_[word];
  num_unchanged_ += row.is_unchanged;
  const std::string padding(word.size() < 13 ? 13 - word.size() : 0, ' ');
  std::string line =
      fmt::format("{}{}  {:<{}}  {:<18}  {:<16}", coloured(word, colour_of(word)), padding,
                  verdict.model_id.value_or(""), name_width_, grounds_of(verdict), placement_of(verdict));
  if (row.is_unchanged)
    line += "  unchanged, not run again";
  else if (verdict.wall_s)
    line += fmt::format("  {}", human_seconds(*verdict.wall_s));
  line.erase(line.find_last_not_of(' ') + 1);
  fmt::print("{}\n", line);
  if (verdict.error) fmt::print("{:15}{}\n", "", coloured(first_line(*verdict.error), Colour::Grey));
  std::fflush(stdout);
}

void RowPrinter::print_summary() const {
  std::vector<std::string> parts;
  for (const EnumName<Verdict>& verdict : enum_names(std::type_identity<Verdict>{}))
    if (const auto found = counts_.find(std::string(verdict.text)); found != counts_.end())
      parts.push_back(fmt::format("{} {}", found->second, verdict.text));
  if (num_unchanged_ > 0) parts.push_back(fmt::format("{} unchanged", num_unchanged_));
  fmt::print("\n{}\n", join(parts, ", "));
}

ExitStatus exit_status_of(const Row& verdict) {
  const auto word = from_text<Verdict>(verdict.verdict.value_or(""));
  if (word == Verdict::Pass) return ExitStatus::Ok;
  return !word || word == Verdict::Indeterminate || word == Verdict::Untested ? ExitStatus::NoAnswer : ExitStatus::No;
}

}  // namespace willitrun
