#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "domain/failure.h"
#include "verify/failure_rules.h"
#include "verify/line_pattern.h"
#include "verify/literal_scanner.h"

namespace willitrun {

/// The rule that speaks for a text.
struct RuleMatch {
  std::size_t rule = 0;  ///< Place in the book.
  RuleKind kind = RuleKind::Cause;
  std::string_view failure_class;
  std::vector<std::string> details;  ///< Captured words, or the name of a device code: they go into the signature.
  std::string_view line;             ///< The line of the text that matched.
};

/// Which lines of a text are asked.
enum class Lines {
  All,
  NoWarnings,  ///< Not those that call themselves a warning: a log is full of them, and the run went on.
};

/// What conditions ask beside the line.
struct Surroundings {
  std::optional<bool> sharded;  ///< Nothing when it is not known how the model was spread.
  std::optional<Mark> mark;     ///< Nothing when it is not known how far the run came.
  bool is_own_run = false;      ///< The text comes from a run of ours.
  bool is_offline = false;      ///< That run had no network by design.
  std::string_view traceback;   ///< Read in addition to the text itself.
};

/// The rules, ready to search a text in one pass: the longest literal of each rule is looked for with a
/// LiteralScanner, and only where it stands the whole pattern is tried, once per rule and line.
class RuleBook {
 public:
  explicit RuleBook(const std::vector<FailureRule>& rules);

  /// Returns the first rule that matches a line of `text`, with the first such line; of places the last line that one
  /// matches. Prose, places and topics are asked only about texts that do not come from
  /// a run of ours.
  std::optional<RuleMatch> first_match(std::string_view text, Lines lines, const Surroundings& around) const;

 private:
  struct Entry {
    FailureRule rule;
    LinePattern pattern;
  };

  std::vector<Entry> entries_;
  LiteralScanner scanner_;
};

/// The book of the rule file, made at first use.
const RuleBook& failure_rule_book();

}  // namespace willitrun
